/** A list with what is chosen of it beside it; on a narrow screen one of the two, with a way back. */
import { Anchor, Box, Group } from "@mantine/core";
import type { ReactNode } from "react";
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
  children: ReactNode;
}

export function Split({ label, list, detail, back = "/", backTo = shared.back, children }: Props) {
  return (
    <div className={styles.split} data-chosen={detail !== undefined}>
      <Box component="section" aria-label={label} className={styles.list}>
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
