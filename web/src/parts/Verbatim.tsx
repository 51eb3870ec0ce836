/** Stored text, word for word: never markup, whatever it holds, and in the direction of its own script. */
import { Button } from "@mantine/core";
import { useState } from "react";

import { shared } from "../texts/shared";
import { pieces } from "./highlight";
import styles from "./Verbatim.module.css";

interface Props {
  text: string;
  /** Characters that are shown at first; the rest is one click away. */
  most?: number;
  mono?: boolean;
  /** Whether the rest is left out for good. */
  cut?: boolean;
  /** The stems of words to mark. */
  marked?: ReadonlySet<string>;
}

export function Verbatim({ text, most = 3000, mono = false, cut = false, marked }: Props) {
  const [whole, setWhole] = useState(false);
  // By characters as people count them, so that no emoji is cut in two.
  const shown = whole || text.length <= most ? text : `${Array.from(text.slice(0, most)).slice(0, -1).join("")}…`;
  return (
    <div>
      <div dir="auto" className={mono ? `${styles.text} ${styles.mono}` : styles.text}>
        {marked?.size ? pieces(shown, marked).map((each, index) => (each.marked ? <mark key={index}>{each.text}</mark> : each.text)) : shown}
      </div>
      {text.length > most && !cut ? (
        <Button variant="subtle" size="compact-xs" mt={4} aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? shared.less : `${shared.more} (${text.length.toLocaleString("en")})`}
        </Button>
      ) : null}
    </div>
  );
}
