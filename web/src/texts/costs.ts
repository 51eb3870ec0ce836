/** The texts of the page Costs. */
import type { ModelCall, Usage } from "../api/schema";
import { counted, number } from "./count";

export const costs = {
  title: "Costs",
  about: "What calls to paid models cost. Storing and recalling need none, so this page is empty until you set up an LLM.",
  by: { label: "Group by", source: "Use", model: "Model", day: "Day" } satisfies Record<Usage["by"], string> & { label: string },
  sources: {
    memory_embed: "Embeddings",
    memory_extract: "Fact extraction",
    memory_rerank: "Reordering results",
    memory_qa: "Answers",
    memory_summary: "Summaries",
  } satisfies Record<ModelCall["source"], string> as Record<string, string>,
  month: "This month",
  total: "All time",
  ofCap: (cap: string) => `of a ${cap} cap`,
  noCap: "no cap",
  stopped: (count: number) => `${counted(count, "call")} stopped by a cap`,
  unknown: (count: number) => `${number(count)} of unknown cost. Set the model's price below.`,
  calls: (count: number) => counted(count, "call"),
  empty: { title: "No model calls yet", text: "Memory works without an LLM. To use one, set `RICORDO_LLM_URL` and restart the server." },
  table: {
    title: "Breakdown",
    columns: { calls: "Calls", failed: "Failed", tokensIn: "Input tokens", tokensOut: "Output tokens", stopped: "Stopped", cost: "Cost" },
  },
  caps: {
    title: "Spending caps",
    about: "Calls that could exceed a cap are not made. Conversations are still stored. In US dollars; empty means no cap.",
    month: "Per month",
    conversation: "Per conversation",
    save: "Save",
    saved: "Saved",
  },
  recent: { title: "Latest calls", columns: { when: "When", use: "Use", model: "Model", outcome: "Outcome", cost: "Cost" } },
  outcomes: {
    open: "in progress",
    answered: "answered",
    unusable: "unusable answer",
    refused: "refused",
    unreached: "not reached",
    lost: "lost",
    cap_conversation: "stopped by the conversation's cap",
    cap_month: "stopped by the month's cap",
    unpriced: "stopped: price unknown",
  } satisfies Record<ModelCall["outcome"], string>,
  prices: {
    title: "Custom prices",
    about: "For models without a known price, or with another price for you. US dollars per million tokens.",
    model: "Model",
    input: "Input",
    output: "Output",
    set: "Save price",
    remove: "Remove",
    removeNamed: (model: string) => `Remove the price of ${model}`,
  },
  unknownCost: "unknown",
};
