/** Choices of a select, from the words for them. */
export function options<T extends string>(words: Record<T, string>): { value: T; label: string }[] {
  return (Object.entries(words) as [T, string][]).map(([value, label]) => ({ value, label }));
}
