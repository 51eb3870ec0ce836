/** Addresses of other pages, for links inside a page, whose own are relative to it. */
import { root } from "../api/client";

/** A path of the whole page, such as `/runs/ID`, as a link inside a page takes it. */
export function toPage(path: string): string {
  return `~${root}${path}`;
}

/** Where a drawer or a room is shown in its conversation. */
export function toPointer(pointer: string): string {
  return toPage(`/memory?at=${encodeURIComponent(bare(pointer))}`);
}

/** The parameter by which the page Activity is asked for the accesses to a memory. */
export const MEMORY = "memory";

/** Where it is told who looked at a memory. */
export function toAccesses(id: string): string {
  return toPage(`/activity/record?${MEMORY}=${encodeURIComponent(id)}`);
}

/** The parameter by which the page Entities is asked for an entity of that name. */
export const NAMED = "named";

/** Where an entity is shown, by a name of it. */
export function toEntity(name: string): string {
  return toPage(`/entities?${NAMED}=${encodeURIComponent(name)}`);
}

/** A pointer without its sign: `W-001/R-02/D-003`. */
export function bare(pointer: string): string {
  return pointer.replace("§", "").trim();
}
