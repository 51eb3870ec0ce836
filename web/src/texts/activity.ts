/** The texts of the page Activity. */
import type { Chain, Event, Job } from "../api/schema";
import { counted, number } from "./count";

export const activity = {
  title: "Activity",
  about: "What happened in this memory, who accessed it, and what still has to be done.",
  tabs: { events: "Events", review: "Review queue", record: "Access log", jobs: "Jobs" },
  filter: { category: "Caused by", anybody: "Anyone", types: "Event", anything: "All events" },
  categories: { agent_action: "A program", user_action: "You", system: "Ricordo" } satisfies Record<NonNullable<Event["category"]>, string>,
  empty: { title: "Nothing has happened yet", text: "Import a conversation, and it appears here.", go: "Import conversations" },
  noneFits: "No events match these filters.",
  older: "Show older events",
  run: "Open run",
  memory: "Access log",
  entity: "Open entity",
  review: {
    about: "Writes by tools or agents wait here when Settings hold them for review. They are not found or used until you accept them.",
    none: { title: "The review queue is empty", text: "Settings decide whose writes are held for review." },
    kinds: { entry: "Entry", journal: "Journal", core: "Core", note: "Note" } as Record<string, string>,
    by: (actor: string, source: unknown) => `by ${actor.replace(":", " ")}${typeof source === "string" ? `, source: ${source}` : ""}`,
    accept: "Accept",
    reject: "Reject",
  },
  record: {
    chain: "Integrity",
    about: "Every access to a memory is logged. Log records are sealed with a chain of hashes, so later changes to them are detected.",
    whole: "The access log is intact",
    broken: (seal: number) => `The access log was altered: the records of seal ${number(seal)} do not match its hash`,
    mislisted: (count: number) => `${counted(count, "record")} ${count === 1 ? "lists" : "list"} other memories than when sealed`,
    counts: (chain: Chain) => `${counted(chain.accesses, "access", "accesses")} in ${counted(chain.seals, "seal")}, ${number(chain.unsealed)} not sealed yet`,
    head: "Last seal",
    verify: "Verify now",
    seal: "Seal open records",
    memory: "Accesses to one memory",
    memoryAbout: "Enter a memory's ID. The menu of a turn in Memory, and each memory of an agent, link here too.",
    id: "Memory ID",
    show: "Show",
    none: "No accesses to this memory are logged.",
  },
  jobs: {
    about: "Background work: vectors, entities, consolidation, upkeep. Jobs that failed too often wait here until you retry them.",
    none: { title: "No jobs", text: "All background work is done." },
    columns: { kind: "Job", state: "State", when: "Time", attempts: "Attempts" },
    scheduled: "scheduled",
    states: { waiting: "waiting", running: "running", dead: "failed" } satisfies Record<Job["state"], string>,
    tasks: {
      embed: "Compute vectors",
      extract: "Extract facts with the LLM",
      consolidate: "Consolidate journals",
      propose: "Look for core memories",
      upkeep: "Routine upkeep",
      operate: "Run an operation",
    } as Record<string, string>,
    retry: "Retry",
    retryNamed: (task: string) => `Retry: ${task}`,
    retryAll: "Retry all failed jobs",
  },
};

/** What a job does. */
export function taskName(task: string): string {
  return activity.jobs.tasks[task] ?? task;
}
