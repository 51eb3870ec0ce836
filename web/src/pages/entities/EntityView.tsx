/** One entity: who or what it is, its graph and neighbors at a moment, its timeline, and what was merged into it. */
import { ActionIcon, Badge, Button, Card, Group, Menu, Stack, Text, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { Link } from "wouter";

import { useReadOnly } from "../../api/rights";
import type { Entity, Relation } from "../../api/schema";
import { Ago } from "../../parts/Ago";
import { Wrong } from "../../parts/Dialog";
import { Facts } from "../../parts/Facts";
import { Icon } from "../../parts/icons";
import { Lines, Loaded } from "../../parts/states";
import { entities as words } from "../../texts/entities";
import { About } from "./About";
import { Changes, type Change } from "./Changes";
import { Picture } from "./Picture";
import { useEntity, useMerged, useNeighbors, useTimeline, useUnmerge } from "./queries";
import { Timeline } from "./Timeline";

interface Props {
  id: string;
  relations: Relation[];
  at: Date | null;
  now: Date;
  onMoment: (at: Date | null) => void;
}

export function EntityView({ id, relations, at, now, onMoment }: Props) {
  const entity = useEntity(id);
  const timeline = useTimeline(id);
  return (
    <Loaded query={entity} skeleton={<Lines count={4} height={130} />}>
      {(found) => (
        <Stack gap="md">
          <Head entity={found} />
          <About name={found.id} />
          <Loaded query={timeline} skeleton={<Lines count={3} height={130} />}>
            {(stated) => (
              <>
                <Timeline entity={found.id} relations={stated} now={now} />
                {stated.length ? <Picture relations={relations} around={found.id} at={at} now={now} onMoment={onMoment} /> : null}
              </>
            )}
          </Loaded>
          <Neighbors id={found.id} at={at} />
        </Stack>
      )}
    </Loaded>
  );
}

function Head({ entity }: { entity: Entity }) {
  const [change, setChange] = useState<Change | null>(null);
  const readOnly = useReadOnly();
  return (
    <Card withBorder component="section" aria-label={entity.name}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="xs">
        <Group gap="xs" miw={0}>
          <Title order={2} style={{ overflowWrap: "anywhere" }} dir="auto">
            {entity.name}
          </Title>
          <Badge variant="default">
            {words.kinds[entity.kind]}
          </Badge>
        </Group>
        <Menu position="bottom-end" width={200}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={words.head.change} disabled={readOnly}>
              <Icon name="dots" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {(["rename", "alias", "merge"] as const).map((each) => (
              <Menu.Item key={each} onClick={() => setChange(each)}>
                {words.head[each]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Facts
        of={[
          ...(entity.aliases?.length ? [[words.head.aliases, entity.aliases.join(", ")] as [string, string]] : []),
          [words.head.mentions, (entity.mentions ?? 0).toLocaleString("en")],
          [words.head.first, <Ago at={entity.first_at} as="day" />],
          [words.head.last, <Ago at={entity.last_at} as="day" />],
        ]}
      />
      <Merged id={entity.id} />
      <Changes entity={entity} change={change} onClose={() => setChange(null)} />
    </Card>
  );
}

function Merged({ id }: { id: string }) {
  const merged = useMerged(id);
  const unmerge = useUnmerge();
  const readOnly = useReadOnly();
  if (!merged.data?.length) return <Wrong error={unmerge.error} />;
  return (
    <section aria-label={words.merged.title}>
      <Text size="xs" c="dimmed" mt="sm" mb={4}>
        {words.merged.title}
      </Text>
      <Stack gap={4}>
        {merged.data.map((each) => (
          <Group key={each.id} gap="xs">
            <Text size="sm" style={{ overflowWrap: "anywhere" }}>
              {each.name}
            </Text>
            <Text size="xs" c="dimmed">
              {words.merged.by[each.by]}
            </Text>
            <Button
              size="compact-xs"
              variant="default"
              aria-label={words.merged.undoOf(each.name)}
              onClick={() => unmerge.mutate(each.id)}
              loading={unmerge.isPending && unmerge.variables === each.id}
              disabled={readOnly}
            >
              {words.merged.undo}
            </Button>
          </Group>
        ))}
      </Stack>
      <Wrong error={unmerge.error} />
    </section>
  );
}

function Neighbors({ id, at }: { id: string; at: Date | null }) {
  const [moment] = useDebouncedValue(at, 200);
  const neighbors = useNeighbors(id, moment);
  return (
    <Card withBorder component="section" aria-label={words.neighbors.title}>
      <Title order={2}>{words.neighbors.title}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {words.neighbors.about}
      </Text>
      <Loaded query={neighbors} skeleton={<Lines count={1} height={30} />}>
        {(found) =>
          found.length ? (
            <Group gap="xs">
              {found.map((each) => (
                <Button key={each.id} component={Link} href={`/${each.id}`} size="xs" variant="default">
                  {each.name}
                  <Text span size="xs" c="dimmed" ml={6}>
                    {words.kinds[each.kind]}
                  </Text>
                </Button>
              ))}
            </Group>
          ) : (
            <Text size="sm">{words.neighbors.none}</Text>
          )
        }
      </Loaded>
    </Card>
  );
}
