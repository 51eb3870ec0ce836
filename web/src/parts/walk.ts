/** Walking a list by the arrow keys: to the next or the former one, the first or the last. */

/** Where a key leads to from an index of so many; undefined for other keys. */
export function stepped(key: string, at: number, count: number): number | undefined {
  const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 };
  const index = to[key];
  return index === undefined ? undefined : Math.max(0, Math.min(count - 1, index));
}

interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  preventDefault: () => void;
}

/** Gives the focus to the element that a key leads to. */
export function walk(event: Press, elements: HTMLElement[], at: number): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const index = stepped(event.key, at, elements.length);
  if (index === undefined) return;
  event.preventDefault();
  elements[index]?.focus();
}
