/** What the overview asks one to look at, names of rooms, and where the arrow keys lead. */
import { beforeAll, expect, test, vi } from "vitest";

import type { Operation, Overview, SyncStatus, UserSettings, Vectors } from "../src/api/schema";
import type { matters as Matters } from "../src/pages/overview/matters";
import { withoutDay } from "../src/parts/rooms";
import { stepped } from "../src/parts/walk";
import { counted, listed } from "../src/texts/count";
import { going } from "../src/texts/progress";

let matters: typeof Matters;

beforeAll(async () => {
  vi.stubGlobal("document", { baseURI: "http://localhost/" });
  ({ matters } = await import("../src/pages/overview/matters"));
});

const quiet: Overview = {
  conversations: 3, turns: 20, memories: 0, entities: 4, agents: 1, first_at: null, last_at: null,
  jobs_waiting: 0, jobs_running: 0, jobs_failed: 0, held: 0, pending: 0, unread: { conversations: 0, turns: 0, queued: 0, unusable: 0, reason: null, has_llm: false }, keywords_only: null,
};
const vectors: Vectors = { model: "m", dimension: 3, next_model: null, embedded: 20, pending: 0, renewing: 0, problems: {} };

function texts(overview: Partial<Overview>, more: object = {}): string[] {
  return matters({ overview: { ...quiet, ...overview }, vectors, ...more }).map(({ kind, text }) => `${kind}: ${text}`);
}

test("nothing needs attention where nothing does", () => {
  expect(texts({})).toEqual([]);
  expect(matters({ overview: quiet })).toEqual([]);
});

test("what is wrong comes before what is open, and that before what goes on", () => {
  expect(texts({ jobs_failed: 1, held: 2, jobs_waiting: 3, jobs_running: 1 })).toEqual([
    "wrong: 1 job failed and waits for you to retry it.",
    "open: 2 writes are held for review.",
    "busy: 4 jobs are waiting or running in the background.",
  ]);
});

test("memory that is off, and imports, are reported", () => {
  expect(texts({}, { settings: { enabled: false } as UserSettings })[0]).toMatch(/^wrong: Memory is off/);
  const running = { kind: "import", state: "running", done: 10, total: 40 } as Operation;
  expect(texts({}, { lastImport: running })).toEqual(["busy: An import is in progress: 10 of 40 turns."]);
  expect(texts({}, { lastImport: { ...running, state: "failed", problem: "disk full" } })).toEqual(["wrong: An import failed: disk full"]);
  expect(texts({}, { lastImport: { ...running, state: "done" } })).toEqual([]);
});

test("a change of the embedding model shows its percentage, and an import of a file without turns too", () => {
  const [matter] = matters({ overview: quiet, vectors: { ...vectors, next_model: "new", embedded: 380, renewing: 260 } });
  expect([matter?.text, matter?.advance]).toEqual(["Changing the embedding model to new: 31%, 120 of 380 memories.", { done: 120, total: 380 }]);
  expect(texts({}, { lastImport: { kind: "load", state: "running", done: 999, total: 1000 } })).toEqual(["busy: An import is in progress: 99%."]);
  expect([going("Creating the export", { done: 0, total: null }), going("Creating the export", { done: 5, total: 5 })]).toEqual(["Creating the export…", "Creating the export: 100%"]);
});

test("trouble with sync is reported, but for devices that were shut out", () => {
  const device = { id: "1", name: "phone", is_self: false, segments: 3, seen_at: null, shut_out: false, problem: "segment 4 is torn" };
  const sync = { active: true, problem: null, devices: [device, { ...device, shut_out: true }, { ...device, problem: null }] } as unknown as SyncStatus;
  const torn = "wrong: Some changes from the device phone cannot be read: segment 4 is torn";
  expect(texts({ held: 1 }, { sync })).toEqual([torn, "open: 1 write is held for review."]);
  expect(texts({}, { sync: { ...sync, problem: "the server cannot be reached" } })).toEqual(["wrong: Sync is not working: the server cannot be reached"]);
  expect(texts({}, { sync: { ...sync, active: false } })).toEqual([]);
});

test("without an embedding model, that is said with what waits for one", () => {
  expect(texts({ pending: 20 })).toEqual(["busy: 20 memories wait for a vector. Until then, only keyword search finds them."]);
  expect(texts({ keywords_only: "No model.", pending: 1 })).toEqual(["open: No model. 1 memory waits for a vector. Until then, only keyword search finds it."]);
});

test("what waits for an LLM is offered where there is one, and reported where it is queued", () => {
  const unread = { ...quiet.unread, turns: 30, conversations: 2, reason: "no LLM is set up" };
  expect(texts({ unread })).toEqual([]);
  expect(texts({ unread: { ...unread, queued: 2 } })).toEqual(["busy: 30 turns in 2 conversations wait for the LLM: no LLM is set up."]);
  expect(texts({ unread: { ...unread, has_llm: true } })[0]).toMatch(/^open: The LLM has not read 30 turns in 2 conversations\./);
});

test("an error is shown whoever answers", async () => {
  const { Problem } = await import("../src/api/problem");
  const of = async (body: string) => (await Problem.of(new Response(body, { status: 503 }))).message;
  expect(await of(JSON.stringify({ type: "urn:ricordo:problem:unavailable", detail: "the store is down" }))).toBe("the store is down");
  expect(await of(JSON.stringify({ detail: "no upstream" }))).toBe("no upstream");
  for (const body of ["<html>", "null", JSON.stringify({ detail: [1] })]) expect(await of(body)).toBe("The server returned the error 503. Try again, or see its log.");
});

test("a room is named without its day", () => {
  expect(withoutDay("2026-02-08 Sun: The battery")).toBe("The battery");
  expect(withoutDay("Kitchen: 2026")).toBe("Kitchen: 2026");
});

test("arrows lead to what is beside, and not over the ends", () => {
  expect(["ArrowDown", "ArrowUp", "Home", "End"].map((key) => stepped(key, 1, 3))).toEqual([2, 0, 0, 2]);
  expect([stepped("ArrowDown", 2, 3), stepped("ArrowUp", 0, 3), stepped("x", 0, 3)]).toEqual([2, 0, undefined]);
});

test("numbers and things are named as people name them", () => {
  expect([counted(1, "turn"), counted(1204, "turn"), counted(2, "entry", "entries")]).toEqual(["1 turn", "1,204 turns", "2 entries"]);
  expect([listed(["a"]), listed(["a", "b", "c"])]).toEqual(["a", "a, b and c"]);
});
