/** Which words of a text a question has too, in whatever ending, so that results can mark them. */

/** A stretch of a text: where it begins, and where it ends. */
export type Stretch = [start: number, end: number];

/** Words that say nothing by themselves, in the languages that people ask in most. */
const STOP_WORDS = new Set(
  [
    "a about am an and any are as at be been but by can could did do does for from had has have he her his how i if in is it its",
    "me my of on or our she should so than that the their them then there these they this those to us was we were what when where",
    "which who whom whose why will with would you your",
    "aber als am auf aus bei das dem den der des die ein eine einen einer es für hat ich im ist mit nicht oder sich sie sind und",
    "von war was wer wie wir wo wurde zu zum zur",
    "avec ce dans des du elle en est et il la le les ne nous où par pas pour quand que qui sont sur un une",
    "con como cuando de del donde el ella en es la las los no para por que quien se son su un una y",
    "che chi come con da dei del della di e gli il la lo nel non per quando si sono un una",
  ].flatMap((each) => each.split(" ")),
);
/** Endings that two forms of one word may differ in; longer ones first. */
const ENDINGS = ["ingly", "ations", "ation", "ings", "ing", "iest", "ier", "ies", "ied", "ers", "er", "es", "ed", "en", "em", "e", "s", "y", "n"];
const SHORTEST_STEM = 3;

const segments = new Intl.Segmenter(undefined, { granularity: "word" });

/** A word without case, accents and a possessive ending. */
function folded(word: string): string {
  return word.normalize("NFKD").replace(/\p{Mn}/gu, "").toLowerCase().replace(/['’]s$/, "");
}

/** What all forms of a word have in common, as far as a rule can tell. */
function stem(word: string): string {
  const ending = ENDINGS.find((each) => word.endsWith(each) && word.length - each.length >= SHORTEST_STEM);
  const bare = ending ? word.slice(0, -ending.length) : word;
  // As in "running" and "run", and in "deploys" and "deploy", whose own ending is a y.
  return /([bdfglmnprt])\1$|y$/.test(bare) && ending ? bare.slice(0, -1) : bare;
}

function wordsOf(text: string): { word: string; at: number; length: number }[] {
  return [...segments.segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment, index }) => ({ word: folded(segment), at: index, length: segment.length }));
}

/** The words of a question that are worth marking, by their stems. */
export function stemsOf(question: string): ReadonlySet<string> {
  const telling = wordsOf(question).filter(({ word }) => !STOP_WORDS.has(word) && (word.length > 1 || /\p{N}/u.test(word)));
  return new Set(telling.map(({ word }) => stem(word)));
}

/** Where a text has one of these words, in order. */
export function matches(text: string, stems: ReadonlySet<string>): Stretch[] {
  if (!stems.size) return [];
  return wordsOf(text)
    .filter(({ word }) => stems.has(stem(word)) && !STOP_WORDS.has(word))
    .map(({ at, length }): Stretch => [at, at + length]);
}

/** A text in pieces, each with whether it is marked. */
export function pieces(text: string, stems: ReadonlySet<string>): { text: string; marked: boolean }[] {
  const found: { text: string; marked: boolean }[] = [];
  let from = 0;
  for (const [start, end] of matches(text, stems)) {
    if (start > from) found.push({ text: text.slice(from, start), marked: false });
    found.push({ text: text.slice(start, end), marked: true });
    from = end;
  }
  if (from < text.length) found.push({ text: text.slice(from), marked: false });
  return found;
}
