/** The tags of a turn, such as `@p Derek` and `@t 2026-04-30`. */

/** The names that they hold: of people, places and things, without the day. */
export function namesOf(tags: string[] | undefined): string[] {
  return (tags ?? []).filter((tag) => !tag.startsWith("@t ")).map((tag) => tag.slice(tag.indexOf(" ") + 1));
}
