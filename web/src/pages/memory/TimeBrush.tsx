/** A histogram of when things were said, on which a stretch of time is chosen. */
import { Box, Button, Group, Input, RangeSlider, Skeleton, Text } from "@mantine/core";
import { useEffect, useState } from "react";

import type { Histogram } from "../../api/schema";
import { memory as words } from "../../texts/memory";
import styles from "./TimeBrush.module.css";
import { useHistogram } from "./queries";

interface Props {
  wing: string | null;
  speaker: string | null;
  since: string | null;
  until: string | null;
  choose: (since: string | null, until: string | null) => void;
}

const HEIGHT = 44;

export function TimeBrush({ wing, speaker, since, until, choose }: Props) {
  const histogram = useHistogram(wing, speaker);
  if (!histogram.data) return histogram.isError ? null : <Skeleton height={98} />;
  if (histogram.data.bars.length === 0) return null;
  return <Brush histogram={histogram.data} since={since} until={until} choose={choose} />;
}

function Brush({ histogram, since, until, choose }: { histogram: Histogram } & Pick<Props, "since" | "until" | "choose">) {
  const { bars, by } = histogram;
  const [range, setRange] = useState<[number, number]>(() => placed(bars, since, until));
  useEffect(() => setRange(placed(bars, since, until)), [bars, since, until]);
  const most = Math.max(1, ...bars.map(({ drawers }) => drawers));
  const last = bars.length - 1;
  const whole = range[0] === 0 && range[1] === last;
  const commit = ([from, to]: [number, number]) =>
    choose(from === 0 ? null : bars[from]!.start, to === last ? null : (bars[to + 1]?.start ?? null));
  const name = (index: number) => spanName(bars[index]?.start ?? bars[last]!.start, by);
  return (
    <Box role="group" aria-label={words.time.label}>
      <Group justify="space-between" mb={2} h={22} wrap="nowrap">
        <Input.Label component="div">{words.time.label}</Input.Label>
        {whole ? (
          <Text size="xs" c="dimmed">
            {words.time.all}
          </Text>
        ) : (
          <Group gap="xs">
            <Text size="xs">
              {name(range[0])}
              {range[0] === range[1] ? "" : ` – ${name(range[1])}`}
            </Text>
            <Button size="compact-xs" variant="subtle" onClick={() => choose(null, null)}>
              {words.time.clear}
            </Button>
          </Group>
        )}
      </Group>
      <svg className={styles.bars} height={HEIGHT} width="100%" viewBox={`0 0 ${bars.length} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map(({ start, drawers }, index) => (
          <rect
            key={start}
            x={index + 0.08}
            width={0.84}
            y={HEIGHT - Math.max(drawers ? 2 : 0, (drawers / most) * HEIGHT)}
            height={Math.max(drawers ? 2 : 0, (drawers / most) * HEIGHT)}
            className={index >= range[0] && index <= range[1] ? styles.within : styles.without}
          >
            <title>{words.time.bar(spanName(start, by), drawers)}</title>
          </rect>
        ))}
      </svg>
      <RangeSlider
        size="xs"
        min={0}
        max={Math.max(1, last)}
        minRange={0}
        step={1}
        value={range}
        onChange={setRange}
        onChangeEnd={commit}
        label={name}
        disabled={last < 1}
        thumbFromLabel={words.time.from}
        thumbToLabel={words.time.to}
        thumbProps={(index) => ({ "aria-valuetext": name(range[index]) })}
      />
    </Box>
  );
}

/** The bars between two moments. */
function placed(bars: Histogram["bars"], since: string | null, until: string | null): [number, number] {
  const last = bars.length - 1;
  const from = since === null ? 0 : bars.findIndex(({ start }) => Date.parse(start) >= Date.parse(since));
  const behind = until === null ? -1 : bars.findIndex(({ start }) => Date.parse(start) >= Date.parse(until));
  const to = behind < 0 ? last : Math.max(0, behind - 1);
  return [Math.min(from < 0 ? last : from, to), to];
}

function spanName(start: string, by: Histogram["by"]): string {
  const options: Intl.DateTimeFormatOptions =
    by === "year" ? { year: "numeric" } : by === "month" ? { month: "short", year: "numeric" } : { day: "numeric", month: "short", year: "numeric" };
  return new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" }).format(new Date(start));
}
