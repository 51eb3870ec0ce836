/** The slider of time: the moment as of which the graph is shown, with a stroke for everything that began or ended. */
import { Button, Group, Text } from "@mantine/core";
import { useId } from "react";

import { onDay } from "../../parts/Ago";
import { entities as words } from "../../texts/entities";
import styles from "./Moment.module.css";

const DAY = 86_400_000;
/** How many positions the slider has; a step of the arrow keys is one of them. */
const STEPS = 240;

interface Props {
  /** When something began or ended, in order. */
  changes: number[];
  /** Null is now. */
  at: Date | null;
  now: Date;
  onChange: (at: Date | null) => void;
}

export function Moment({ changes, at, now, onChange }: Props) {
  const id = useId();
  const first = changes[0];
  if (first === undefined || first > now.getTime()) return null;
  const from = first - DAY;
  const span = now.getTime() - from;
  const position = at === null ? STEPS : Math.round(((at.getTime() - from) / span) * STEPS);
  const said = at === null ? words.time.now : onDay(at);
  const move = (to: number) => onChange(to >= STEPS ? null : new Date(from + (to / STEPS) * span));
  return (
    <div className={styles.moment}>
      <Group justify="space-between" gap="xs" mih={30}>
        <Text size="sm" component="label" htmlFor={id} fw={550}>
          {words.time.label}: <output htmlFor={id}>{said}</output>
        </Text>
        <Button size="compact-xs" variant="default" onClick={() => onChange(null)} disabled={at === null}>
          {words.time.now}
        </Button>
      </Group>
      <svg className={styles.changes} viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        {changes
          .filter((each) => each <= now.getTime())
          .map((each) => (
            <line key={each} x1={((each - from) / span) * 1000} x2={((each - from) / span) * 1000} y1={0} y2={10} vectorEffect="non-scaling-stroke" />
          ))}
      </svg>
      <input
        id={id}
        type="range"
        className={styles.slider}
        min={0}
        max={STEPS}
        value={position}
        aria-valuetext={said}
        title={words.time.changes}
        onChange={(event) => move(Number(event.currentTarget.value))}
      />
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {onDay(new Date(first))}
        </Text>
        <Text size="xs" c="dimmed">
          {words.time.today}
        </Text>
      </Group>
    </div>
  );
}
