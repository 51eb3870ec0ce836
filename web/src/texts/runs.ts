/** The words of the page Runs. */
import type { Run } from "../api/schema";

const strategies: Record<string, string> = {
  top_confidence: "the profile gives a run its surest entries",
  recent: "the profile gives a run its newest entries",
  relevant: "found by what the template says",
};
const ways: [string, string][] = [
  ["recall", "recalled from the palace"],
  ["search", "found by a search"],
  ["context", "in each prompt of the agent: core, and the journal of a week"],
  ["history", "the history of a memory was looked at"],
  ["as_of", "what a memory said at an earlier moment was looked at"],
];

export const runs = {
  title: "Runs",
  about: "What each run of an agent saw of its memory, word for word, and what it wrote.",
  agent: "Agent",
  allAgents: "All agents",
  list: "Newest runs",
  older: "Show older ones",
  empty: {
    title: "No runs yet",
    text: "A run appears here when an agent begins one: memory.run(…) in Python, or POST /v1/agents/AGENT/runs.",
  },
  choose: { title: "No run is chosen", text: "Choose one of the list to see what it saw and what it wrote." },
  status: { running: "running", completed: "completed", failed: "failed", cancelled: "cancelled" } satisfies Record<Run["status"], string>,
  gone: "agent that is gone",
  facts: { started: "Began", took: "Took", conversation: "Conversation", run: "Run" },
  seconds: (count: number) => (count < 0.95 ? `${Math.round(count * 1000)} ms` : `${count.toFixed(count < 10 ? 1 : 0)} s`),
  stillRunning: "has not ended",
  saw: {
    title: "What it saw",
    about: "The prompt, word for word. What was redacted since is struck from it.",
    block: "from memory",
    template: "the template",
    nothing: "It was told nothing: no entry fitted, or memory is off for the agent.",
  },
  why: {
    title: "Why these results",
    about: "Each memory as it was when the run saw it.",
    how: (why: Record<string, unknown>) => strategies[String(why.injection)] ?? ways.find(([name]) => why[name])?.[1] ?? "read in the run",
    sure: (confidence: string) => `confidence ${confidence}`,
  },
  wrote: {
    title: "What it wrote",
    nothing: "It asked to remember nothing.",
    running: "Nothing is written before a run has completed.",
    dropped: (count: number) => (count === 1 ? "One write was dropped." : `${count} writes were dropped.`),
    droppedAll: "Nothing was written.",
    because: "Why",
    problem: (node: string | null, index: number | null) =>
      [node ? `node ${node}` : null, index === null ? null : `write ${index + 1}`].filter(Boolean).join(", "),
  },
  events: { title: "What happened" },
  removed: "This memory was removed.",
};
