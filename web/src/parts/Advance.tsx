/** How far long work is, as a bar. */
import { Progress } from "@mantine/core";

import type { Operation, Vectors } from "../api/schema";

export type Advance = Pick<Operation, "done" | "total">;

/** How far a change of the embedding model is. */
export function renewal({ embedded, renewing }: Vectors): Advance {
  return { done: Math.max(0, embedded - (renewing ?? 0)), total: embedded };
}

/** A bar that is full and moves while nobody knows how much there is. */
export function Bar({ of: { done = 0, total }, label }: { of: Advance; label: string }) {
  return <Progress value={total ? (100 * done) / total : 100} animated aria-label={label} w="100%" my={4} />;
}
