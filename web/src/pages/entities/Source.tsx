/** A panel at the side with where a relation comes from: the turns that say so, word for word. */
import { Anchor, Card, Drawer, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "wouter";

import type { Drawer as Turn, Relation } from "../../api/schema";
import { Ago, exactly } from "../../parts/Ago";
import { Facts } from "../../parts/Facts";
import { bare, toPointer } from "../../parts/links";
import { Lines, Loaded } from "../../parts/states";
import { Verbatim } from "../../parts/Verbatim";
import { entities as words } from "../../texts/entities";
import { shared } from "../../texts/shared";
import { stateOf, successor } from "./moments";
import { useTurns } from "./queries";

const told = words.source;

interface Props {
  relation: Relation | null;
  /** All that was stated of the same entity. */
  all: Relation[];
  now: Date;
  onClose: () => void;
}

export function Source({ relation, all, now, onClose }: Props) {
  return (
    <Drawer opened={relation !== null} onClose={onClose} position="right" size="lg" title={told.title} closeButtonProps={{ "aria-label": shared.close }}>
      {relation ? <Inside relation={relation} all={all} now={now} /> : null}
    </Drawer>
  );
}

function Inside({ relation, all, now }: { relation: Relation; all: Relation[]; now: Date }) {
  const next = successor(relation, all);
  const against = all.filter(({ id }) => relation.contradicts?.includes(id));
  const date = (at: string | null | undefined, none: string) => (at ? exactly(new Date(at)) : none);
  return (
    <Stack gap="md">
      <Title order={3} style={{ overflowWrap: "anywhere" }}>
        {relation.text}
      </Title>
      <Facts
        of={[
          [told.from, date(relation.valid_from, words.timeline.unknown)],
          [told.to, date(relation.valid_to, words.timeline.still)],
          [told.state, words.states[stateOf(relation, all, now)]],
          [told.found, told.foundBy[relation.found_by]],
          ...(next ? [[told.replacedBy, next.text] as [string, string]] : []),
          ...against.map((each) => [told.contradicts, each.text] as [string, string]),
        ]}
      />
      <section aria-label={told.said}>
        <Title order={4} fz="sm" mb="xs">
          {told.said}
        </Title>
        {relation.sources?.length ? (
          <Stack gap="sm">
            {relation.sources.map((pointer) => (
              <Turns key={pointer} pointer={pointer} />
            ))}
          </Stack>
        ) : (
          <Text size="sm">{told.manual}</Text>
        )}
      </section>
    </Stack>
  );
}

/** The turn at a pointer between its neighbors. */
function Turns({ pointer }: { pointer: string }) {
  const turns = useTurns(pointer);
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" gap="xs" mb="xs">
        <Text size="xs" c="dimmed" ff="monospace">
          {pointer}
        </Text>
        <Anchor component={Link} href={toPointer(pointer)} size="xs">
          {told.open}
        </Anchor>
      </Group>
      <Loaded query={turns} skeleton={<Lines count={3} height={40} />}>
        {(found) =>
          found.length ? (
            <Stack gap="xs">
              {found.map((turn) => (
                <Said key={turn.id} turn={turn} faint={bare(turn.pointer) !== bare(pointer)} />
              ))}
            </Stack>
          ) : (
            <Text size="sm">{told.gone}</Text>
          )
        }
      </Loaded>
    </Card>
  );
}

function Said({ turn, faint }: { turn: Turn; faint: boolean }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {turn.speaker} · <Ago at={turn.at} as="day" />
      </Text>
      <Text size="sm" component="div" c={faint ? "dimmed" : undefined}>
        <Verbatim text={turn.text} most={600} />
      </Text>
    </div>
  );
}
