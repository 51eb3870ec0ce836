/** A sentence in which whatever stands between backticks is meant to be typed as it is, such as a command. */
import { Code } from "@mantine/core";

export function Prose({ children }: { children: string }) {
  return (
    <>
      {children.split("`").map((each, index) =>
        index % 2 ? (
          <Code key={index} fz="0.9em">
            {each}
          </Code>
        ) : (
          each
        ),
      )}
    </>
  );
}
