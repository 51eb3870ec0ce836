/** The texts of the page Runs. */
import type { Run } from "../api/schema";
import { counted } from "./count";

const strategies: Record<string, string> = {
  top_confidence: "Entries with the highest confidence, as set in the profile",
  recent: "Newest entries, as set in the profile",
  relevant: "Entries relevant to the template, as set in the profile",
};
const ways: [string, string][] = [
  ["recall", "Recalled from the palace"],
  ["search", "Found by a search"],
  ["context", "Core and journal, in every prompt of the agent"],
  ["history", "The history of a memory"],
  ["as_of", "A memory as it was at an earlier time"],
];

export const runs = {
  title: "Runs",
  about: "What each run of an agent saw of its memory, word for word, and what it wrote.",
  agent: "Agent",
  allAgents: "All agents",
  list: "Newest runs",
  older: "Show older runs",
  empty: {
    title: "No runs yet",
    text: "Runs appear here when an agent starts them, with `memory.run(…)` in Python or `POST /v1/agents/AGENT/runs` over HTTP.",
  },
  choose: { title: "No run selected", text: "Select a run from the list to see what it saw and what it wrote." },
  status: { running: "running", completed: "completed", failed: "failed", cancelled: "canceled" } satisfies Record<Run["status"], string>,
  gone: "Deleted agent",
  facts: { started: "Started", took: "Duration", conversation: "Conversation", run: "Run" },
  seconds: (count: number) => (count < 0.95 ? `${Math.round(count * 1000)} ms` : `${count.toFixed(count < 10 ? 1 : 0)} s`),
  stillRunning: "still running",
  saw: {
    title: "What it saw",
    about: "The prompt, word for word. Text that was redacted later is removed from it.",
    block: "From memory",
    template: "Template",
    nothing: "No memory was added: no entry matched, or memory is off for this agent.",
  },
  why: {
    title: "Why these memories",
    about: "Each memory as it was when the run saw it.",
    how: (why: Record<string, unknown>) => strategies[String(why.injection)] ?? ways.find(([name]) => why[name])?.[1] ?? "Read during the run",
    sure: (confidence: string) => `confidence ${confidence}`,
  },
  wrote: {
    title: "What it wrote",
    nothing: "It wrote no memories.",
    running: "Writes are stored when the run completes.",
    dropped: (count: number) => `${counted(count, "write")} ${count === 1 ? "was" : "were"} dropped.`,
    droppedAll: "Nothing was stored.",
    because: "Reason",
    problem: (node: string | null, index: number | null) =>
      [node ? `node ${node}` : null, index === null ? null : `write ${index + 1}`].filter(Boolean).join(", "),
  },
  events: { title: "Events" },
  removed: "This memory was deleted.",
};
