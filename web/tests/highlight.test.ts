/** Which words of a result are marked. */
import { expect, test } from "vitest";

import { pieces, stemsOf } from "../src/parts/highlight";

/** The marked words of a text that answers a question. */
function marked(question: string, text: string): string[] {
  return pieces(text, stemsOf(question)).filter((each) => each.marked).map((each) => each.text);
}

test.each([
  ["Which battery did we choose?", "The final battery; old batteries go.", ["battery", "batteries"]],
  ["When do we deploy?", "Deployed on Thursday. Deploys take an hour, deploying is fun.", ["Deployed", "Deploys", "deploying"]],
  ["running shoes", "He runs; a run in new shoes, a shoe", ["runs", "run", "shoes", "shoe"]],
  ["Derek's boat", "Derek sold the boat.", ["Derek", "boat"]],
  ["Käse", "kase und KÄSE", ["kase", "KÄSE"]],
  ["¿Dónde está la llave?", "La llave está aquí", ["llave", "está"]],
  ["C3 room 12", "Room 12 is next to C3, not 120", ["Room", "12", "C3"]],
])("words of %j are marked in %j", (question, text, expected) => {
  expect(marked(question, text)).toEqual(expected);
});

test("words that say nothing are not marked", () => {
  expect(marked("What did the and of it?", "What it did of the and")).toEqual([]);
});

test("words that only begin alike are not marked", () => {
  expect(marked("planet contest", "plan content planets")).toEqual(["planets"]);
});

test("the pieces are the text, whatever it holds", () => {
  for (const text of ["", "battery", "a battery 🔋 and a battery", "<b>battery</b>", "مرحبا battery שלום", "x".repeat(5000)]) {
    expect(pieces(text, stemsOf("battery")).map((each) => each.text).join("")).toBe(text);
  }
});

test("languages without spaces are split into words", () => {
  expect(marked("電池", "新しい電池を買った")).toEqual(["電池"]);
});
