/** A pointer that is copied by a click and shows what stands there while it is pointed at or has the focus. */
import { Group, Popover, Stack, Text, UnstyledButton } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";

import { api, got, look } from "../api/client";
import { shared } from "../texts/shared";
import { Ago } from "./Ago";
import { Icon } from "./icons";
import { bare } from "./links";
import styles from "./PointerChip.module.css";
import { Lines, Loaded } from "./states";
import { namesOf } from "./tags";
import { Verbatim } from "./Verbatim";

/** Milliseconds for which one points at it before it shows anything. */
const PATIENCE = 350;

export function PointerChip({ pointer, preview = true }: { pointer: string; preview?: boolean }) {
  const clipboard = useClipboard({ timeout: 1500 });
  const [opened, setOpened] = useState(false);
  const timer = useRef<number>(undefined);
  const show = () => {
    timer.current = window.setTimeout(() => setOpened(preview), PATIENCE);
  };
  const hide = () => {
    window.clearTimeout(timer.current);
    setOpened(false);
  };
  return (
    <Popover opened={opened} position="bottom-start" width={340} shadow="md" withinPortal trapFocus={false} returnFocus={false}>
      <Popover.Target>
        <UnstyledButton
          className={styles.chip}
          onClick={() => clipboard.copy(pointer)}
          onMouseEnter={show}
          onMouseLeave={hide}
          onFocus={show}
          onBlur={hide}
          onKeyDown={(event) => event.key === "Escape" && hide()}
          aria-label={`${clipboard.copied ? shared.copied : shared.copy} ${pointer}`}
        >
          {pointer}
          <Icon name={clipboard.copied ? "check" : "copy"} size={12} />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Preview pointer={pointer} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Preview({ pointer }: { pointer: string }) {
  const drawer = useQuery({
    queryKey: ["palace", "preview", pointer],
    ...look,
    queryFn: async () => {
      const params = { path: { pointer: bare(pointer) }, query: { before: 0, after: 0 } };
      return (await got(api.GET("/v1/palace/around/{pointer}", { params }))).items[0] ?? null;
    },
    staleTime: 60_000,
  });
  return (
    <Loaded query={drawer} skeleton={<Lines count={3} height={16} />}>
      {(found) =>
        found ? (
          <Stack gap={6}>
            <Group justify="space-between" gap="xs">
              <Text size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
                {found.speaker}
              </Text>
              <Text size="xs" c="dimmed">
                <Ago at={found.at} as="day" />
              </Text>
            </Group>
            <Text size="sm" component="div">
              <Verbatim text={found.text} most={280} cut />
            </Text>
            <Text size="xs" c="dimmed">
              {namesOf(found.tags).join(" · ")}
            </Text>
          </Stack>
        ) : null
      }
    </Loaded>
  );
}
