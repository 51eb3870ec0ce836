/** Numbers in sentences. */

export function number(count: number): string {
  return count.toLocaleString("en");
}

/** A number with its unit: "1 turn", "1,204 turns". */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** Things in a row: "a, b and c". */
export function listed(things: string[]): string {
  return new Intl.ListFormat("en-GB").format(things);
}
