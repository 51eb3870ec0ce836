/** How far long work is, in the same words on each page. */
import { counted, number } from "./count";

interface Advance {
  done?: number;
  total?: number | null;
}

/** "31%", rounded down, so that only what has ended is at 100. */
export function percent({ done = 0, total }: Advance): string {
  return total ? `${Math.floor((100 * Math.min(done, total)) / total)}%` : "0%";
}

/** "Creating the export: 31%". */
export function going(what: string, advance: Advance): string {
  return advance.total ? `${what}: ${percent(advance)}` : `${what}…`;
}

/** "Changing the embedding model to X: 31%, 120 of 380 memories". */
export function renewing(model: string, advance: Advance): string {
  const { done = 0, total } = advance;
  return `${going(`Changing the embedding model to ${model}`, advance)}${total ? `, ${number(done)} of ${counted(total, "memory", "memories")}` : ""}`;
}
