/** The texts of the page Overview. */
import type { CostEstimate } from "../api/schema";
import { counted } from "./count";

export const overview = {
  title: "Overview",
  about: "What is stored, what came in lately, and what needs your attention.",
  attention: {
    title: "Needs attention",
    busy: "In progress",
    none: "Everything is up to date.",
    off: { text: "Memory is off. Agents receive no memory, and conversations are not stored automatically.", go: "Open Settings" },
    failed: { text: (count: number) => `${counted(count, "job")} failed and ${count === 1 ? "waits" : "wait"} for you to retry ${count === 1 ? "it" : "them"}.`, go: "Show jobs" },
    held: { text: (count: number) => `${counted(count, "write")} ${count === 1 ? "is" : "are"} held for review.`, go: "Review" },
    embeddings: { text: (reason: string, count: number) => `${counted(count, "memory", "memories")} could not get a vector: ${reason}` },
    importing: { text: (progress: string) => `An import is in progress: ${progress}.`, go: "Show import" },
    importFailed: { text: (reason: string) => `An import failed: ${reason}`, go: "Show imports" },
    sync: {
      folder: (reason: string) => `Sync is not working: ${reason}`,
      device: (name: string, reason: string) => `Some changes from the device ${name} cannot be read: ${reason}`,
      go: "Show devices",
    },
    waiting: { text: (count: number) => `${counted(count, "job")} ${count === 1 ? "is" : "are"} waiting or running in the background.`, go: "Show jobs" },
    pending: { text: (count: number) => `${counted(count, "memory", "memories")} ${count === 1 ? "waits" : "wait"} for a vector. Until then, only keyword search finds ${count === 1 ? "it" : "them"}.` },
    unread: {
      text: (turns: number, conversations: number) => `The LLM has not read ${counted(turns, "turn")} in ${counted(conversations, "conversation")}. Rules have found facts in them; the LLM finds more.`,
      queued: (turns: number, conversations: number, reason: string | null | undefined) => `${counted(turns, "turn")} in ${counted(conversations, "conversation")} ${turns === 1 ? "waits" : "wait"} for the LLM${reason ? `: ${reason}` : ""}.`,
      cost: ({ calls, cost }: CostEstimate) => `At most ${counted(calls, "call")}, ${cost === null ? "of unknown cost" : `${Number(cost).toFixed(2)} USD`}.`,
      extract: "Extract facts",
      go: "Show jobs",
    },
  },
  stored: {
    title: "Stored",
    conversations: "Conversations",
    turns: "Turns",
    entities: "Entities",
    agents: "Agents",
    memories: "Agent memories",
    span: (first: string, last: string) => `Turns from ${first} to ${last}.`,
  },
  latest: {
    title: "Latest conversations",
    none: "No conversations are stored yet.",
    turns: (count: number) => counted(count, "turn"),
    stored: "stored",
    all: "Browse all",
  },
  activity: { title: "Latest activity", none: "Nothing has happened yet.", all: "Show all activity" },
  start: {
    title: "Welcome to Ricordo",
    about: "Nothing is stored yet. Start with one of these:",
    steps: [
      { title: "Import past conversations", text: "From ChatGPT, Claude, WhatsApp and other apps.", go: "Open Import", path: "/import" },
      { title: "Connect an agent", text: "Run `ricordo connect` for a coding assistant. For your own agent, create an API key.", go: "Open Settings", path: "/settings" },
      { title: "Use the command line", text: "Run `ricordo mine FOLDER` to store the chats of a folder.", go: null, path: null },
    ],
  },
};
