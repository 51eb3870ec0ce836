/** A sentence in which whatever stands between backticks is meant to be typed as it is, such as a command. */
import { Code } from "@mantine/core";

import styles from "./Prose.module.css";

export function Prose({ children }: { children: string }) {
  return (
    <>
      {children.split("`").map((each, index) =>
        index % 2 ? (
          <Code key={index} className={styles.typed}>
            {each}
          </Code>
        ) : (
          each
        ),
      )}
    </>
  );
}
