/** The results of a recall: each turn with where it comes from, why it was chosen behind a button, and the block exactly as
 * the LLM receives it. The arrow keys walk the results, Enter opens the conversation. */
import { Alert, Anchor, Button, Collapse, CopyButton, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMemo, useRef, useState, type KeyboardEvent } from "react";
import { Link, useLocation } from "wouter";

import type { Hit, RecallResult } from "../../api/schema";
import { Ago } from "../../parts/Ago";
import { stemsOf } from "../../parts/highlight";
import { Icon } from "../../parts/icons";
import { bare } from "../../parts/links";
import { PointerChip } from "../../parts/PointerChip";
import { Prose } from "../../parts/Prose";
import { Empty } from "../../parts/states";
import { Verbatim } from "../../parts/Verbatim";
import { walk } from "../../parts/walk";
import { memory as words } from "../../texts/memory";
import { shared } from "../../texts/shared";
import styles from "./Results.module.css";
import { Tags } from "./Talk";

/** What a signal must give to be shown. */
const LEAST = 0.005;

interface Props {
  recalled: RecallResult;
  question: string;
  /** Whether these are the results of the question before. */
  old: boolean;
  /** The address that shows a pointer beside the search. */
  linkTo: (pointer: string) => string;
  /** Searches again, and shows what is unlikely to answer the question too. */
  showUnlikely: () => void;
}

export function Results({ recalled, question, old, linkTo, showUnlikely }: Props) {
  const { results, notes = [], pending = 0 } = recalled;
  const most = Math.max(...results.flatMap(({ signals }) => Object.values(signals)), LEAST);
  const marked = useMemo(() => stemsOf(question), [question]);
  const list = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const [, go] = useLocation();
  const onKeyDown = (event: KeyboardEvent) => {
    const hits = [...(list.current?.querySelectorAll<HTMLElement>("article") ?? [])];
    const at = hits.findIndex((each) => each.contains(document.activeElement));
    const hit = results[at];
    if (!hit) return;
    if (event.key === "Enter" && hits[at] === document.activeElement) go(linkTo(bare(hit.pointer)));
    else walk(event, hits, at);
  };
  return (
    <Stack component="section" gap="sm" aria-label={words.results.label} aria-busy={old} className={old ? styles.old : undefined}>
      {notes.filter((note) => !isUnlikely(note)).map((note) => (
        <Alert key={note} color="yellow" variant="light" icon={<Icon name="warning" />}>
          <Prose>{note}</Prose>
        </Alert>
      ))}
      {results.length ? (
        <>
          <Head recalled={recalled} />
          <Stack gap="sm" ref={list} onKeyDown={onKeyDown}>
            {results.map((hit, index) => (
              <Result
                key={hit.id}
                hit={hit}
                most={most}
                href={linkTo(bare(hit.pointer))}
                marked={marked}
                reached={index === Math.min(current, results.length - 1)}
                onReach={() => setCurrent(index)}
              />
            ))}
          </Stack>
        </>
      ) : notes.some(isUnlikely) ? (
        <Empty icon="search" title={words.results.unlikely.title}>
          <>
            <Text c="dimmed" size="sm">
              {words.results.unlikely.text}
            </Text>
            <Button variant="default" onClick={showUnlikely}>
              {words.results.unlikely.show}
            </Button>
          </>
        </Empty>
      ) : (
        <Empty icon="search" title={words.results.none.title}>
          {words.results.none.text}
        </Empty>
      )}
      {pending ? (
        <Text size="xs" c="dimmed">
          {words.results.pending(pending)}
        </Text>
      ) : null}
    </Stack>
  );
}

/** Whether a note says that turns were found which are unlikely to answer. It names the option that shows them anyway. */
function isUnlikely(note: string): boolean {
  return note.includes("min_confidence");
}

interface Shown {
  hit: Hit;
  most: number;
  href: string;
  marked: ReadonlySet<string>;
  /** Whether the Tab key leads to it; to the others lead the arrows. */
  reached: boolean;
  onReach: () => void;
}

function Result({ hit, most, href, marked, reached, onReach }: Shown) {
  const [why, { toggle }] = useDisclosure();
  return (
    <article className={styles.hit} aria-label={hit.pointer} tabIndex={reached ? 0 : -1} onFocus={onReach}>
      <div className={styles.text}>
        <Verbatim text={hit.text} most={700} marked={marked} />
      </div>
      <div className={styles.about}>
        <Text component="span" size="xs" fw={600} dir="auto">
          {hit.speaker}
        </Text>
        <Ago at={hit.at} as="day" />
        <PointerChip pointer={hit.pointer} />
        {hit.title ? (
          <span dir="auto" className={styles.title}>
            {hit.title}
          </span>
        ) : null}
      </div>
      <Group gap="md" mt={6}>
        <Anchor component={Link} href={href} size="sm">
          {words.results.open}
        </Anchor>
        <Fold opened={why} toggle={toggle}>
          {words.results.why}
        </Fold>
      </Group>
      <Collapse expanded={why}>
        <div className={styles.why}>
          <Signals hit={hit} most={most} />
          <Tags of={hit.tags ?? []} />
        </div>
      </Collapse>
    </article>
  );
}

function Fold({ opened, toggle, children }: { opened: boolean; toggle: () => void; children: string }) {
  return (
    <Button
      variant="subtle"
      color="gray"
      c="dimmed"
      size="compact-sm"
      fw={400}
      onClick={toggle}
      aria-expanded={opened}
      leftSection={
        <span className={styles.chevron} data-open={opened}>
          <Icon name="chevron" size={14} />
        </span>
      }
    >
      {children}
    </Button>
  );
}

function Signals({ hit, most }: { hit: Hit; most: number }) {
  const given = Object.entries(hit.signals)
    .filter(([, value]) => value >= LEAST)
    .sort(([, one], [, other]) => other - one);
  return (
    <dl className={styles.signals} aria-label={words.results.why}>
      {given.map(([name, value]) => {
        const [label, about] = shared.signals[name] ?? [name, ""];
        return (
          <div key={name} className={styles.signal}>
            <dt>{label}</dt>
            <dd>
              <span className={styles.bar} style={{ width: `${Math.max(2, (value / most) * 100)}%` }} />
            </dd>
            <dd className={styles.value}>{value.toFixed(2)}</dd>
            <dd className={styles.meaning}>{about}</dd>
          </div>
        );
      })}
      <div className={styles.signal}>
        <dt>{words.results.score}</dt>
        <dd className={styles.total}>{hit.score.toFixed(2)}</dd>
      </div>
    </dl>
  );
}

/** How many results there are, and the block that an LLM receives, folded. */
function Head({ recalled }: { recalled: RecallResult }) {
  const [opened, { toggle }] = useDisclosure();
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {words.results.count(recalled.results.length)}
        </Text>
        {recalled.context ? (
          <Group gap="xs">
            <Fold opened={opened} toggle={toggle}>
              {words.results.block}
            </Fold>
            <CopyButton value={recalled.context}>
              {({ copied, copy }) => (
                <Button size="compact-sm" variant="default" onClick={copy} aria-label={words.results.copyBlock}>
                  {copied ? shared.copied : shared.copy}
                </Button>
              )}
            </CopyButton>
          </Group>
        ) : null}
      </Group>
      <Collapse expanded={opened}>
        <Text size="xs" c="dimmed" my={4}>
          {words.results.tokens(recalled.tokens)}
        </Text>
        <div className={styles.block} data-testid="block" role="region" aria-label={words.results.block} tabIndex={0}>
          <Verbatim text={recalled.context} mono most={20_000} />
        </div>
      </Collapse>
    </div>
  );
}
