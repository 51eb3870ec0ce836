/** Names of rooms. */

/** A room's name without the day that it begins with, such as "2026-02-08 Sun: ", which is shown beside it. */
export function withoutDay(name: string): string {
  return name.replace(/^\d{4}-\d\d-\d\d \w+: /, "");
}
