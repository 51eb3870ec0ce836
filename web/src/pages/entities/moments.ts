/** What held when: the same rule as the server's `as_of`, and how a relation stands to those beside it. */
import type { Relation } from "../../api/schema";

/** Whether something held at a moment: from its beginning to its end, which is not part of it. */
export function held({ valid_from, valid_to }: Relation, at: Date): boolean {
  const moment = at.getTime();
  return (valid_from == null || Date.parse(valid_from) <= moment) && (valid_to == null || moment < Date.parse(valid_to));
}

/** The moments at which something began or ended, in order. */
export function changes(relations: Relation[]): number[] {
  const found = relations.flatMap(({ valid_from, valid_to }) => [valid_from, valid_to]).filter((each) => each != null);
  return [...new Set(found.map((each) => Date.parse(each)))].sort((one, other) => one - other);
}

export type State = "holds" | "ended" | "replaced" | "contradicted" | "future";

/** How a relation stands now, among all of its subject. */
export function stateOf(relation: Relation, all: Relation[], now: Date): State {
  if (relation.contradicts?.length) return "contradicted";
  if (held(relation, now)) return "holds";
  if (relation.valid_from != null && Date.parse(relation.valid_from) > now.getTime()) return "future";
  return successor(relation, all) ? "replaced" : "ended";
}

/** What took the place of a relation: of the same subject and predicate, and beginning where it ends. */
export function successor(relation: Relation, all: Relation[]): Relation | undefined {
  return all.find(
    (each) =>
      each.id !== relation.id &&
      each.subject_id === relation.subject_id &&
      each.predicate === relation.predicate &&
      relation.valid_to != null &&
      each.valid_from === relation.valid_to,
  );
}
