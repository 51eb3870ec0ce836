/** A time as people say it ("3 days ago"), with the exact one on hover and for machines. */
import { shared } from "../texts/shared";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "medium" });
const minute = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
const dayOf = { day: "numeric", month: "short", year: "numeric" } as const;
const day = new Intl.DateTimeFormat("en-GB", dayOf);
const dayOfUtc = new Intl.DateTimeFormat("en-GB", { ...dayOf, timeZone: "UTC" });
const wholeDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 365.25 * 86400],
  ["month", 30.4375 * 86400],
  ["week", 7 * 86400],
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];

/** The words for the time between two moments. */
export function ago(at: Date, now: Date = new Date()): string {
  const seconds = (at.getTime() - now.getTime()) / 1000;
  const [unit, length] = steps.find(([, each]) => Math.abs(seconds) >= each) ?? ["second", 1];
  return relative.format(Math.round(seconds / length), unit);
}

/** Whether a time is a date that a turn named: midnight UTC, which stays that date everywhere. */
const isDate = (at: Date): boolean => at.getTime() % 86_400_000 === 0;

/** A date without its time: 4 Mar 2026. */
export function onDay(at: Date): string {
  return (isDate(at) ? dayOfUtc : day).format(at);
}

/** A whole date and time, in the reader's own zone. */
export function exactly(at: Date): string {
  return (isDate(at) ? wholeDay : exact).format(at);
}

const forms = { ago: (at: Date) => ago(at), day: onDay, minute: (at: Date) => minute.format(at) };

export function Ago({ at, as = "ago" }: { at: string | null | undefined; as?: "ago" | "day" | "minute" }) {
  if (!at) return <span>{shared.unknownTime}</span>;
  const moment = new Date(at);
  return (
    <time dateTime={at} title={exactly(moment)}>
      {forms[as](moment)}
    </time>
  );
}
