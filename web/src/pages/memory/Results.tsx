/** What a recall brings back: the lines with what each signal gave, and the block exactly as a model gets it. */
import { Alert, Anchor, Button, Card, Collapse, CopyButton, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link } from "wouter";

import type { Hit, RecallResult } from "../../api/schema";
import { Ago } from "../../parts/Ago";
import { Icon } from "../../parts/icons";
import { bare } from "../../parts/links";
import { PointerChip } from "../../parts/PointerChip";
import { Prose } from "../../parts/Prose";
import { Empty } from "../../parts/states";
import { Verbatim } from "../../parts/Verbatim";
import { memory as words } from "../../texts/memory";
import { shared } from "../../texts/shared";
import styles from "./Results.module.css";
import { Tags } from "./Talk";

/** What a signal must give to be shown. */
const LEAST = 0.005;

interface Props {
  recalled: RecallResult;
  /** Whether these are the lines of the question before. */
  old: boolean;
  /** The address that shows a pointer beside the search. */
  linkTo: (pointer: string) => string;
}

export function Results({ recalled, old, linkTo }: Props) {
  const { results, notes = [], pending = 0 } = recalled;
  const most = Math.max(...results.flatMap(({ signals }) => Object.values(signals)), LEAST);
  return (
    <Stack component="section" gap="sm" aria-label={words.results.label} aria-busy={old} className={old ? styles.old : undefined}>
      {notes.map((note) => (
        <Alert key={note} color="yellow" variant="light" icon={<Icon name="warning" />}>
          <Prose>{note}</Prose>
        </Alert>
      ))}
      {pending ? (
        <Text size="xs" c="dimmed">
          {words.results.pending(pending)}
        </Text>
      ) : null}
      {results.length ? (
        <>
          <Block recalled={recalled} />
          {results.map((hit) => (
            <Line key={hit.id} hit={hit} most={most} href={linkTo(bare(hit.pointer))} />
          ))}
        </>
      ) : (
        <Empty icon="search" title={words.results.none.title}>
          {words.results.none.text}
        </Empty>
      )}
    </Stack>
  );
}

function Line({ hit, most, href }: { hit: Hit; most: number; href: string }) {
  return (
    <Card withBorder padding="sm" component="article" aria-label={hit.pointer}>
      <div className={styles.line}>
        <div>
          <Group gap="xs" mb={6}>
            <Text size="sm" fw={600} dir="auto">
              {hit.speaker}
            </Text>
            <Text size="xs" c="dimmed">
              <Ago at={hit.at} as="day" />
            </Text>
            <PointerChip pointer={hit.pointer} />
          </Group>
          <Text size="sm" component="div">
            <Verbatim text={hit.text} most={700} />
          </Text>
          <Tags of={hit.tags ?? []} />
          <Group gap="xs" mt={8}>
            <Anchor component={Link} href={href} size="xs">
              {words.results.open}
            </Anchor>
            {hit.title ? (
              <Text size="xs" c="dimmed" dir="auto">
                {hit.title}
              </Text>
            ) : null}
          </Group>
        </div>
        <Signals hit={hit} most={most} />
      </div>
    </Card>
  );
}

function Signals({ hit, most }: { hit: Hit; most: number }) {
  const given = Object.entries(hit.signals)
    .filter(([, value]) => value >= LEAST)
    .sort(([, one], [, other]) => other - one);
  return (
    <dl className={styles.signals} aria-label={words.results.why}>
      <div className={styles.signal}>
        <dt>{words.results.score}</dt>
        <dd className={styles.total}>{hit.score.toFixed(2)}</dd>
      </div>
      {given.map(([name, value]) => {
        const [label, about] = shared.signals[name] ?? [name, name];
        return (
          <div key={name} className={styles.signal} title={about}>
            <dt>{label}</dt>
            <dd>
              <span className={styles.bar} style={{ width: `${Math.max(2, (value / most) * 100)}%` }} />
            </dd>
            <dd className={styles.value}>{value.toFixed(2)}</dd>
          </div>
        );
      })}
    </dl>
  );
}

function Block({ recalled }: { recalled: RecallResult }) {
  const [opened, { toggle }] = useDisclosure();
  if (!recalled.context) return null;
  return (
    <Card withBorder padding="sm">
      <Group justify="space-between" gap="xs">
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={toggle}
          aria-expanded={opened}
          leftSection={
            <span className={styles.chevron} data-open={opened}>
              <Icon name="chevron" size={14} />
            </span>
          }
        >
          {words.results.block}
        </Button>
        <Group gap="sm">
          <Text size="xs" c="dimmed" className="number">
            {words.results.tokens(recalled.tokens)}
          </Text>
          <CopyButton value={recalled.context}>
            {({ copied, copy }) => (
              <Button size="compact-xs" variant="default" onClick={copy} aria-label={words.results.copyBlock}>
                {copied ? shared.copied : shared.copy}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Group>
      <Collapse expanded={opened}>
        <div className={styles.block} data-testid="block" role="region" aria-label={words.results.block} tabIndex={0}>
          <Verbatim text={recalled.context} mono most={20_000} />
        </div>
      </Collapse>
    </Card>
  );
}
