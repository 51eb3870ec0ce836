/** Events as sentences. */
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import type { Event } from "../src/api/schema";
import { eventNames, told, type Names } from "../src/texts/events";
import { settingNames } from "../src/texts/settings";

function event(name: string, payload: Record<string, unknown> = {}, more: Partial<Event> = {}): Event {
  return { id: "1", event: name, category: "agent_action", created_at: "2026-01-01T00:00:00Z", payload, ...more } as Event;
}

const CASES: [string, Event, Names, string][] = [
  ["a conversation with a title", event("memory_mined", { turns: 14, rooms: [3] }, { conversation_id: "c" }), { conversation: "Kitchen" }, "Conversation stored: “Kitchen”, 14 turns"],
  ["one that is gone", event("memory_mined", { turns: 1, rooms: [3] }, { conversation_id: "c-7" }), {}, "Conversation stored: “c-7”, 1 turn"],
  ["facts", event("memory_extracted", { turns: 3, mentions: 2, facts: 1 }, { conversation_id: "c" }), { conversation: "Tax" }, "Facts extracted: “Tax”, 1 fact, 2 mentions"],
  ["a run's start", event("memory_injected", { entry_count: 3 }), { agent: "coder" }, "Run started: coder, 3 entries in its prompt"],
  ["dropped writes", event("memory_dropped", { reason: "problems", write_count: 2, problems: [] }), { agent: "coder" }, "Run's writes dropped: coder, 2 writes, because a write was invalid"],
  ["a failure", event("run_failed", { reason: "no answer" }), { agent: "coder" }, "Run failed: coder, no answer"],
  ["one redaction", event("memory_redacted", { memories: 1, memory_id: "x" }), {}, "Text redacted"],
  ["an expiry", event("memory_expired", { memories: 1200 }), {}, "Memory expired: 1,200 memories"],
  ["an import", event("chats_imported", { conversations: 2, stored: 30, duplicates: 0, problems: 1 }), {}, "Conversations imported: 2 conversations, 30 new turns, 1 problem"],
  ["an agent", event("agent_changed", { fields: ["memory_disabled", "name"] }), { agent: "coder" }, "Agent changed: coder, memory and name"],
  ["a relation", event("relation_entered", { entity: "01a2" }), { entity: "Tom" }, "Relation added: Tom"],
  ["one of an entity that is gone", event("relation_ended", { entity: "01a2" }), {}, "Relation ended"],
  ["an edited entity", event("entity_changed", { entity: "01a2", fields: ["alias", "name"] }), { entity: "Tom" }, "Entity edited: Tom, alias and name"],
  ["an edit of the palace", event("palace_edited", { action: "move_drawers", pointer: "§ W-001/R-02" }), {}, "Palace edited: move drawers, § W-001/R-02"],
  ["a key", event("key_created", { key: "01a3" }), { key: "laptop" }, "API key created: “laptop”"],
  ["a number", event("settings_changed", { changed: { top_k: { from: 5, to: 8 } } }), {}, "Settings changed: “Results per recall” from 5 to 8"],
  [
    "choices",
    event("settings_changed", { changed: { auto_mine: { from: true, to: false }, secrets: { from: "store", to: "redact" }, cap_month: { from: null, to: "5" } } }),
    {},
    "Settings changed: “Store conversations automatically” from on to off, “Keys, tokens and passwords” from “Store as they are” to “Redact”, “Spending cap per month” from none to $5",
  ],
  ["an event of a newer server", event("moon_landed", { crew: 3, list: [1], craft: "eagle" }), {}, "moon landed: crew 3, craft eagle"],
];

test.each(CASES)("%s", (_, of, names, expected) => {
  expect(told(of, names)).toBe(expected);
});

const document = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));

test("every type of event that the server knows has a name", () => {
  const parameters: { name: string; schema: unknown }[] = document.paths["/v1/activity"].get.parameters;
  const types = JSON.stringify(parameters.find(({ name }) => name === "type")!.schema).match(/"enum":\[[^\]]*\]/g)!.flatMap((each) => JSON.parse(each.slice(7)) as string[]);
  expect(types.length).toBeGreaterThan(20);
  expect(types.filter((each) => !(each in eventNames) && !["agent_action", "user_action", "system"].includes(each))).toEqual([]);
});

test("every setting has a name", () => {
  expect(Object.keys(settingNames).sort()).toEqual(Object.keys(document.components.schemas.UserSettings.properties).sort());
});
