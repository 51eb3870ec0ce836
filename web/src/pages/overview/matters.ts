/** What needs attention, worst first, from what the server says about itself. */
import type { Operation, Overview, SyncStatus, UserSettings, Vectors } from "../../api/schema";
import { renewal, type Advance } from "../../parts/Advance";
import { hasEnded } from "../../parts/operations";
import { importing } from "../../texts/importing";
import { overview } from "../../texts/overview";
import { renewing } from "../../texts/progress";

const words = overview.attention;

export interface Matter {
  /** How serious it is: something is wrong, somebody should decide, or work goes on. */
  kind: "wrong" | "open" | "busy";
  text: string;
  /** Where it is dealt with, and what the link is called. */
  to?: string;
  go?: string;
  /** What a button does about it. */
  does?: "extract";
  /** How far it is, where that is known. */
  advance?: Advance;
}

interface Known {
  overview: Overview;
  vectors?: Vectors | undefined;
  settings?: UserSettings | undefined;
  lastImport?: Operation | null | undefined;
  sync?: SyncStatus | undefined;
}

export function matters({ overview: now, vectors, settings, lastImport, sync }: Known): Matter[] {
  const found: (Matter | false | "" | null | undefined)[] = [
    settings?.enabled === false && { kind: "wrong", text: words.off.text, to: "/settings", go: words.off.go },
    now.jobs_failed > 0 && { kind: "wrong", text: words.failed.text(now.jobs_failed), to: "/activity/jobs", go: words.failed.go },
    ...Object.entries(vectors?.problems ?? {}).map(([reason, count]): Matter => ({ kind: "wrong", text: words.embeddings.text(reason, count) })),
    lastImport?.state === "failed" && { kind: "wrong", text: words.importFailed.text(lastImport.problem ?? ""), to: "/import", go: words.importFailed.go },
    ...outOfStep(sync),
    now.held > 0 && { kind: "open", text: words.held.text(now.held), to: "/activity/review", go: words.held.go },
    now.keywords_only && { kind: "open", text: now.pending > 0 ? `${now.keywords_only} ${words.pending.text(now.pending)}` : now.keywords_only },
    ...unread(now),
    lastImport && !hasEnded(lastImport) && { kind: "busy", text: words.importing.text(importing.progress.count(lastImport)), to: "/import", go: words.importing.go, ...(lastImport.total ? { advance: lastImport } : {}) },
    vectors?.next_model && { kind: "busy", text: `${renewing(vectors.next_model, renewal(vectors))}.`, advance: renewal(vectors) },
    !now.keywords_only && now.pending > 0 && { kind: "busy", text: words.pending.text(now.pending) },
    now.jobs_waiting + now.jobs_running > 0 && { kind: "busy", text: words.waiting.text(now.jobs_waiting + now.jobs_running), to: "/activity/jobs", go: words.waiting.go },
  ];
  return found.filter((each): each is Matter => Boolean(each));
}

/** Problems that keep devices from syncing. */
function outOfStep(sync: SyncStatus | undefined): Matter[] {
  if (!sync?.active) return [];
  const texts = sync.problem ? [words.sync.folder(sync.problem)] : sync.devices.flatMap(({ name, problem, shut_out }) => (problem && !shut_out ? [words.sync.device(name, problem)] : []));
  return texts.map((text) => ({ kind: "wrong", text, to: "/settings", go: words.sync.go }));
}

/** What waits for an LLM, where one is to read it: it is asked for with a button, or under way. */
function unread({ unread: { turns, conversations, queued, reason, has_llm } }: Overview): Matter[] {
  if (!turns || !(has_llm || queued)) return [];
  if (queued === conversations) return [{ kind: "busy", text: words.unread.queued(turns, conversations, has_llm ? null : reason), to: "/activity/jobs", go: words.unread.go }];
  return [{ kind: "open", text: words.unread.text(turns, conversations), does: "extract" }];
}
