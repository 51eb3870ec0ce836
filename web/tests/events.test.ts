/** Events as sentences: most come from the server. */
import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import type { Event } from "../src/api/schema";
import { eventNames, told } from "../src/texts/events";
import { settingNames } from "../src/texts/settings";

function event(name: string, text: string, payload: Record<string, unknown> = {}): Event {
  return { id: "1", event: name, category: "agent_action", created_at: "2026-01-01T00:00:00Z", payload, text };
}

const CASES: [string, Event, string][] = [
  ["an event", event("memory_mined", "Conversation stored: “Kitchen”, 14 turns"), "Conversation stored: “Kitchen”, 14 turns"],
  ["a setting", event("settings_changed", "Settings changed: top_k from 5 to 8", { changed: { top_k: { from: 5, to: 8 } } }), "Settings changed: “Results per recall” from 5 to 8"],
  [
    "choices",
    event("settings_changed", "", { changed: { auto_mine: { from: true, to: false }, secrets: { from: "store", to: "redact" }, cap_month: { from: null, to: "5" } } }),
    "Settings changed: “Store conversations automatically” from on to off, “Keys, tokens and passwords” from “Store as they are” to “Redact”, “Spending cap per month” from none to $5",
  ],
];

test.each(CASES)("%s", (_, of, expected) => {
  expect(told(of)).toBe(expected);
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
