/** The words of the page Activity. */
import type { Chain, Event, Job } from "../api/schema";

const number = (count: number) => count.toLocaleString("en");

export const activity = {
  title: "Activity",
  about: "What happened to this memory, who looked at it, and what still waits to be done.",
  tabs: { events: "What happened", review: "Held for review", record: "Record of accesses", jobs: "Background work" },
  filter: { category: "By whom", anybody: "Anybody", types: "What", anything: "Anything" },
  categories: { agent_action: "agents", user_action: "you", system: "the system" } satisfies Record<NonNullable<Event["category"]>, string>,
  events: {
    memory_mined: "Conversation kept",
    memory_extracted: "Entities found by a model",
    memory_injected: "Run began with memory",
    memory_committed: "Run's writes kept",
    memory_dropped: "Run's writes dropped",
    run_failed: "Run failed",
    run_cancelled: "Run cancelled",
    memory_redacted: "Text redacted",
    memory_forgotten: "Memory forgotten",
    memory_expired: "Memory expired",
    memory_quarantined: "Write waits for a review",
    quarantine_accepted: "Held write accepted",
    quarantine_rejected: "Held write rejected",
    memory_reembedded: "Model of vectors changed",
    chats_imported: "Chats imported",
    entities_merged: "Entities merged",
    entities_parted: "Entities parted",
    agent_created: "Agent created",
    agent_changed: "Agent changed",
    agent_deleted: "Agent deleted",
    proposals_made: "Promotions proposed",
    proposal_accepted: "Promotion accepted",
    proposal_rejected: "Promotion rejected",
    proposal_undone: "Promotion undone",
    settings_changed: "Settings changed",
    key_created: "Key made",
    key_revoked: "Key revoked",
  } as Record<string, string>,
  columns: { what: "What", by: "By", more: "More", when: "When" },
  empty: { title: "Nothing has happened yet", text: "Mine a conversation, and it appears here." },
  noneFits: "Nothing of this kind.",
  older: "Show older ones",
  run: "run",
  review: {
    about: "What tools or agents want to be remembered waits here where Settings say so. Until it is accepted nothing finds it.",
    none: { title: "Nothing waits for you", text: "Settings say whose writes are held." },
    by: (actor: string) => `by ${actor}`,
    accept: "Remember it",
    reject: "Reject it",
  },
  record: {
    chain: "The chain",
    about: "Every look at a memory and every change is on record. Records are sealed by a chain of hashes: what is altered later breaks it.",
    whole: "The record is whole",
    broken: (seal: number) => `The chain is broken at seal ${number(seal)}: what stands there is not what was sealed`,
    mislisted: (count: number) => `${number(count)} records list other memories than they did when they were sealed`,
    counts: (chain: Chain) => `${number(chain.accesses)} accesses in ${number(chain.seals)} seals; ${number(chain.unsealed)} not sealed yet`,
    head: "Last seal",
    verify: "Verify now",
    seal: "Seal what is open",
    memory: "Accesses of one memory",
    memoryAbout: "By its id, as activity and receipts tell it.",
    id: "Id of a memory",
    show: "Show",
    none: "No access of it is on record.",
    columns: { when: "When", actor: "Who", action: "What" },
  },
  jobs: {
    about: "What follows in the background: vectors, entities, consolidation, upkeep. What failed again and again waits here for you.",
    none: { title: "Nothing waits", text: "All background work is done." },
    columns: { task: "Task", state: "State", when: "Since", attempts: "Attempts" },
    states: { waiting: "waits", running: "runs", dead: "given up" } satisfies Record<Job["state"], string>,
    retry: "Try again",
    retryNamed: (task: string) => `Try again: ${task}`,
    retryAll: "Try all again",
  },
};

/** What an event is called. */
export function eventName(event: string): string {
  return activity.events[event] ?? event.replaceAll("_", " ");
}
