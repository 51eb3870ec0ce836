/** The words of the page Import. */
import type { Operation } from "../api/schema";

const number = (count: number) => count.toLocaleString("en");

export const importing = {
  title: "Import",
  about: "Bring conversations along: ChatGPT, Claude, Claude Code, Codex, Gemini, WhatsApp, Telegram, Slack, Signal, Instagram, Facebook, Markdown, plain text; stores of mem0 and MemPalace; a file that Settings wrote.",
  readOnly: "This key only reads: sign in with another one to import.",
  drop: { title: "Drop files here", or: "or", choose: "Choose files", folder: "Choose a folder", about: "Nothing is kept before you have seen what was recognised." },
  sending: (name: string) => `Sending ${name}`,
  reading: "Reading the files",
  survey: {
    title: "What was recognised",
    columns: { format: "Format", files: "Files", conversations: "Conversations", turns: "Turns" },
    nothing: "Ricordo found no conversations in these files.",
    between: (first: string, last: string) => `Said between ${first} and ${last}`,
    takes: (seconds: number) =>
      seconds < 90 ? `Keeping it takes about ${number(Math.max(1, Math.round(seconds)))} s, and costs nothing.` : `Keeping it takes about ${number(Math.round(seconds / 60))} minutes, and costs nothing.`,
    characters: (count: number) => `${number(count)} characters`,
  },
  begin: "Import",
  cancel: "Start over",
  stop: "Stop",
  progress: {
    title: "Importing",
    count: (operation: Operation) => (operation.total ? `${number(operation.done ?? 0)} of ${number(operation.total)} turns` : `${number(operation.done ?? 0)} turns`),
    leave: "You may leave this page: the server goes on.",
  },
  done: {
    title: "Imported",
    counts: (conversations: number, stored: number, duplicates: number) =>
      `${number(stored)} turns of ${number(conversations)} ${conversations === 1 ? "conversation" : "conversations"} are kept` +
      (duplicates ? `; ${number(duplicates)} were there before.` : "."),
    look: "Look at it in Memory",
    more: "Import more",
    loaded: (rows: number) => `${number(rows)} rows of an archive are yours now.`,
    leftOut: (parts: string[]) => `Left out, since an archive does not decide for who loads it: ${parts.join(", ")}. Load it again as your own to take that over.`,
    left: (parts: string[]) => `Left out: ${parts.join(", ")}.`,
    stays: (parts: string[]) => `Left out, since what you have chosen yourself stays: ${parts.join(", ")}.`,
    parts: {
      "settings.jsonl": "its settings",
      "model_prices.jsonl": "its prices of models",
      "model_calls.jsonl": "its costs",
      "profiles.jsonl": "policies of its profiles",
      "jobs.jsonl": "its background work",
    } as Record<string, string>,
    loadedBefore: "This archive was loaded before; nothing was written.",
  },
  cancelled: "It was stopped. What was kept stays; importing the same files again adds only what is new.",
  archive: {
    about: "Is this a file that Settings wrote? It comes into a memory that is empty yet.",
    own: "It is my own: take over its settings, prices, costs and jobs too, and let everything in as it is.",
    begin: "Load it",
  },
  earlier: {
    title: "Imports of the last week",
    waiting: "Waits for its turn",
    running: "Goes on",
    failed: "Failed",
    cancelled: "Stopped",
    show: "Show",
    showNamed: (what: string) => `Show: ${what}`,
  },
  problems: {
    title: (count: number) => `${number(count)} ${count === 1 ? "thing was" : "things were"} left out or mended`,
    first: (count: number) => `The first ${number(count)}:`,
    columns: { where: "Where", what: "What" },
    lost: "left out",
    mended: "mended",
    line: (line: number) => `line ${number(line)}`,
  },
};
