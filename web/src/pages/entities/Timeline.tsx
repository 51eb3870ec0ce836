/** An entity's timeline: a bar for everything that was stated of it, from when to when it held; each leads to who said so. */
import { Card, Text, Title, UnstyledButton } from "@mantine/core";
import { useState } from "react";

import type { Relation } from "../../api/schema";
import { exactly, onDay } from "../../parts/Ago";
import { entities as words } from "../../texts/entities";
import { stateOf } from "./moments";
import { Source } from "./Source";
import styles from "./Timeline.module.css";

/** Of the whole length: room before the first beginning, for what began nobody knows when. */
const LEAD = 0.06;

export function Timeline({ entity, relations, now }: { entity: string; relations: Relation[]; now: Date }) {
  const [shown, setShown] = useState<Relation | null>(null);
  const known = relations.flatMap(({ valid_from, valid_to }) => [valid_from, valid_to]).filter((each) => each != null);
  const moments = [...known.map((each) => Date.parse(each)), now.getTime()];
  const first = Math.min(...moments);
  const last = Math.max(...moments);
  const length = Math.max(last - first, 86_400_000);
  const from = first - length * LEAD;
  const share = (at: number) => ((at - from) / (last - from || 1)) * 100;
  return (
    <Card withBorder component="section" aria-label={words.timeline.title}>
      <Title order={2}>{words.timeline.title}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {words.timeline.about}
      </Text>
      {relations.length ? (
        <>
          <ul className={styles.bars}>
            {relations.map((each) => (
              <li key={each.id}>
                <Bar relation={each} of={entity} state={stateOf(each, relations, now)} share={share} onOpen={() => setShown(each)} />
              </li>
            ))}
          </ul>
          <div className={styles.scale} aria-hidden="true">
            <span>{onDay(new Date(first))}</span>
            <span>{last > now.getTime() ? onDay(new Date(last)) : words.timeline.now}</span>
          </div>
        </>
      ) : (
        <Text size="sm">{words.timeline.none}</Text>
      )}
      <Source relation={shown} all={relations} now={now} onClose={() => setShown(null)} />
    </Card>
  );
}

interface Shown {
  relation: Relation;
  of: string;
  state: ReturnType<typeof stateOf>;
  share: (at: number) => number;
  onOpen: () => void;
}

function Bar({ relation, of, state, share, onOpen }: Shown) {
  const { valid_from: from, valid_to: to } = relation;
  const begins = from == null ? 0 : share(Date.parse(from));
  const ends = to == null ? 100 : share(Date.parse(to));
  const left = Math.max(0, Math.min(begins, 99));
  const span = words.timeline.span(from == null ? words.timeline.unknown : onDay(new Date(from)), to == null ? words.timeline.now : onDay(new Date(to)));
  const said = relation.subject_id === of ? `${words.readable(relation.predicate)} ${relation.object}` : relation.text;
  return (
    <UnstyledButton className={styles.row} onClick={onOpen} title={title(from, to)}>
      <span className={styles.said}>
        <b>{said}</b>
        <span className={styles.state} data-state={state}>
          {words.states[state]}
        </span>
        <span className={styles.span}>{span}</span>
      </span>
      <span className={styles.track}>
        <span
          className={styles.bar}
          data-state={state}
          data-from={from == null ? "unknown" : undefined}
          data-to={to == null ? "open" : undefined}
          style={{ left: `${left}%`, width: `${Math.max(1, ends - left)}%` }}
        />
      </span>
    </UnstyledButton>
  );
}

function title(from: string | null | undefined, to: string | null | undefined): string {
  const said = (at: string | null | undefined, none: string) => (at ? exactly(new Date(at)) : none);
  return words.timeline.span(said(from, words.timeline.unknown), said(to, words.timeline.now));
}
