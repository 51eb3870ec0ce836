/** A list with what is chosen of it beside it; on a narrow screen one of the two, with a way back. */
import { Anchor, Box, Group } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { Link } from "wouter";

import { shared } from "../texts/shared";
import { Icon } from "./icons";
import styles from "./Split.module.css";

interface Props {
  /** What the list is, for those who hear it. */
  label: string;
  list: ReactNode;
  /** What is chosen; nothing shows the list on a narrow screen. */
  detail: string | undefined;
  /** Where the way back goes. */
  back?: string;
  /** What the way back is called. */
  backTo?: string;
  /** Whether the list is as high as the window and scrolls by itself. */
  fixed?: boolean;
  children: ReactNode;
}

export function Split({ label, list, detail, back = "/", backTo = shared.back, fixed = false, children }: Props) {
  const split = useRef<HTMLDivElement>(null);
  const shown = useRef(detail);
  // What is chosen from far down a list begins at its top, unless it scrolls to something itself.
  useLayoutEffect(() => {
    if (shown.current !== detail && split.current && split.current.getBoundingClientRect().top < 0) split.current.scrollIntoView();
    shown.current = detail;
  }, [detail]);
  return (
    <div ref={split} className={styles.split} data-chosen={detail !== undefined}>
      <Box component="section" aria-label={label} className={styles.list} data-fixed={fixed}>
        {list}
      </Box>
      <Box className={styles.detail}>
        <Anchor component={Link} href={back} className={styles.back}>
          <Group gap={4}>
            <Icon name="back" size={16} />
            {backTo}
          </Group>
        </Anchor>
        {children}
      </Box>
    </div>
  );
}
