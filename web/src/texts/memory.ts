/** The texts of the page Memory. */
import { counted } from "./count";

/** A recall counts no more turns without a vector. */
const MOST_PENDING = 1000;

export const memory = {
  title: "Memory",
  about: "Browse stored conversations, or search them the way an agent does.",
  tree: {
    label: "The palace",
    back: "Back to the palace",
    loading: "Loading…",
    more: "Load more",
    failed: "Could not load. Press Enter to try again.",
    kinds: { person: "person", project: "project", topic: "topic", agent: "agent" },
    counts: (drawers: number) => counted(drawers, "turn"),
  },
  empty: {
    title: "No conversations yet",
    text: "Import past conversations here or with `ricordo mine FOLDER`. To let an agent store new ones, create an API key in Settings.",
    go: "Import conversations",
  },
  choose: {
    title: "Browse or search",
    text: "Open a wing on the left to read its conversations. Or type a question above to see which turns an agent would receive.",
  },
  search: {
    label: "Search your memory",
    placeholder: "Which battery did we choose?",
    submit: "Search",
    filters: "Filters",
    filtersSet: (count: number) => `Filters (${count})`,
    wing: "Wing",
    anyWing: "All wings",
    speaker: "Speaker",
    anySpeaker: "Everyone",
    lines: "Results",
    noWing: "No wing with this name",
  },
  time: {
    label: "Date",
    from: "From",
    to: "To",
    all: "Any time",
    clear: "Clear dates",
    bar: (span: string, count: number) => `${span}: ${counted(count, "turn")}`,
  },
  results: {
    label: "Results",
    back: "Back to results",
    count: (count: number) => counted(count, "result"),
    none: { title: "No results", text: "An agent would receive no memory for this question. Use other words, or remove filters." },
    unlikely: { title: "No likely results", text: "Turns were found, but they are unlikely to answer the question. An agent would receive no memory for it.", show: "Show them anyway" },
    pending: (count: number) => `${count < MOST_PENDING ? "" : "At least "}${counted(count, "turn")} ${count === 1 ? "has" : "have"} no vector yet. Only keyword search finds ${count === 1 ? "it" : "them"}.`,
    open: "Open conversation",
    why: "Why this result?",
    score: "Total score",
    block: "What the LLM receives",
    tokens: (count: number) => `The memory block for the prompt, about ${counted(count, "token")}.`,
    copyBlock: "Copy what the LLM receives",
  },
  talk: {
    label: "Conversation",
    of: (day: string) => `Conversation on ${day}`,
    earlier: "Show earlier turns",
    later: "Show later turns",
    actions: (pointer: string) => `Actions for ${pointer}`,
    names: "Entities in this turn",
    accesses: "Access log",
    redact: "Redact…",
    readOnly: "This key is read-only",
    assistant: "assistant",
    redacted: "This text was redacted.",
  },
  redaction: {
    title: "Redact this turn?",
    about:
      "The text is permanently replaced by [redacted], also in the runs that used it. Its search terms, its vector, and names found only here are removed. The turn keeps its place, so pointers to it still work. This cannot be undone.",
    action: "Redact",
  },
};
