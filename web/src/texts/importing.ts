/** The texts of the page Import. */
import type { Operation } from "../api/schema";
import { counted, listed, number } from "./count";
import { percent } from "./progress";

export const importing = {
  title: "Import",
  about: "Add conversations from other apps, or load an export of Ricordo.",
  formats:
    "Supported: ChatGPT, Claude, Gemini, Claude Code, Codex, Cursor, OpenCode, WhatsApp, Telegram, Signal, Slack, Discord, Instagram, Facebook, e-mail (mbox), Markdown, plain text, mem0, MemPalace, and Ricordo exports.",
  readOnly: "This key is read-only. Sign in with another one to import.",
  drop: { title: "Drop files here", or: "or", choose: "Choose files", folder: "Choose a folder", about: "You see what was recognized before anything is stored." },
  sending: (name: string) => `Uploading ${name}`,
  reading: "Reading the files",
  survey: {
    title: "Recognized conversations",
    columns: { format: "Format", files: "Files", conversations: "Conversations", turns: "Turns" },
    nothing: "No conversations found in these files.",
    between: (first: string, last: string) => `from ${first} to ${last}`,
    takes: (seconds: number) =>
      seconds < 90 ? `Importing takes about ${counted(Math.max(1, Math.round(seconds)), "second")} and costs nothing.` : `Importing takes about ${counted(Math.round(seconds / 60), "minute")} and costs nothing.`,
    characters: (count: number) => counted(count, "character"),
  },
  begin: "Import",
  cancel: "Start over",
  stop: "Stop",
  progress: {
    title: "Importing",
    count: (operation: Operation) => (operation.kind === "load" ? percent(operation) : operation.total ? `${number(operation.done ?? 0)} of ${counted(operation.total, "turn")}` : counted(operation.done ?? 0, "turn")),
    leave: "You can leave this page. The import continues on the server.",
  },
  done: {
    title: "Imported",
    counts: (conversations: number, stored: number, duplicates: number) =>
      `Stored ${counted(stored, "turn")} of ${counted(conversations, "conversation")}` + (duplicates ? `; ${number(duplicates)} were already stored.` : "."),
    look: "Open Memory",
    more: "Import more",
    loaded: (rows: number) => `Loaded ${counted(rows, "row")} from the export.`,
    leftOut: (parts: string[]) => `Not loaded, because the export may be from someone else: ${listed(parts)}. To include them, load it again as your own.`,
    left: (parts: string[]) => `Not loaded: ${listed(parts)}.`,
    stays: (parts: string[]) => `Not loaded, because your own values are kept: ${listed(parts)}.`,
    parts: {
      "settings.jsonl": "settings",
      "model_prices.jsonl": "model prices",
      "model_calls.jsonl": "costs",
      "profiles.jsonl": "profile policies",
      "jobs.jsonl": "jobs",
    } as Record<string, string>,
    loadedBefore: "This export was loaded before, so nothing was written.",
  },
  cancelled: "The import was stopped. What it stored stays; import the same files again to add the rest.",
  archive: {
    about: "Is this an export that Settings created? It can be loaded into an empty memory.",
    own: "It is my own: include its settings, prices, costs and jobs, and load everything unchanged.",
    begin: "Load export",
  },
  earlier: {
    title: "Imports of the last week",
    waiting: "Waiting",
    running: "In progress",
    failed: "Failed",
    cancelled: "Stopped",
    show: "Show",
    showNamed: (what: string) => `Show: ${what}`,
  },
  problems: {
    title: (count: number) => `${counted(count, "problem")} in these files`,
    first: (count: number) => `The first ${number(count)}:`,
    columns: { where: "Where", what: "Problem" },
    lost: "skipped",
    mended: "repaired",
    line: (line: number) => `line ${number(line)}`,
  },
};
