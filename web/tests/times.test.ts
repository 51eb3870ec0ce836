/** Times as people say them. */
import { expect, test, vi } from "vitest";

import { ago, exactly, onDay } from "../src/parts/Ago";

const now = new Date("2026-03-04T12:00:00Z");

test.each([
  ["2026-03-04T11:59:30Z", "30 seconds ago"],
  ["2026-03-04T11:57:00Z", "3 minutes ago"],
  ["2026-03-04T09:00:00Z", "3 hours ago"],
  ["2026-03-03T11:00:00Z", "yesterday"],
  ["2026-02-18T12:00:00Z", "2 weeks ago"],
  ["2025-12-01T12:00:00Z", "3 months ago"],
  ["2023-03-04T12:00:00Z", "3 years ago"],
  ["2026-03-06T12:00:00Z", "in 2 days"],
])("%s is %s", (at, expected) => {
  expect(ago(new Date(at), now)).toBe(expected);
});

test("a day has no time, an exact time has all", () => {
  expect(onDay(new Date("2026-03-04T12:00:00"))).toBe("4 Mar 2026");
  expect(exactly(new Date("2026-03-04T12:30:05"))).toMatch(/^Wednesday.? 4 March 2026 at 12:30:05$/);
});

test.each(["Pacific/Auckland", "America/Los_Angeles", "UTC"])("a date that a turn named is that date in %s too", async (zone) => {
  vi.stubEnv("TZ", zone);
  vi.resetModules(); // its formats are made for the zone in which it is loaded
  const { exactly, onDay } = await import("../src/parts/Ago");
  expect(onDay(new Date("2026-03-04T00:00:00Z"))).toBe("4 Mar 2026");
  expect(exactly(new Date("2026-03-04T00:00:00Z"))).toMatch(/^Wednesday.? 4 March 2026$/);
});
