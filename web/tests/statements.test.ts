/** Relations as sentences. */
import { expect, test } from "vitest";

import { statement } from "../src/texts/entities";

test.each([
  ["lives_in", "Tom lives in Bremen"],
  ["owns", "Tom owns Bremen"],
  ["friend_of", "Tom friend of Bremen"],
  ["brother", "Tom's brother: Bremen"],
  ["favorite_color", "Tom's favorite color: Bremen"],
])("the relation %j reads %j", (predicate, expected) => {
  expect(statement({ subject: "Tom", predicate, object: "Bremen" })).toBe(expected);
});
