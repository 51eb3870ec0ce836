/** The palace as a tree: wings, rooms, closets, drawers. Only the rows in sight are in the document. */
import { Box, Skeleton, Text } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useId, useRef, useState, type KeyboardEvent } from "react";

import { Icon, type IconName } from "../../parts/icons";
import { Ago } from "../../parts/Ago";
import { withoutDay } from "../../parts/rooms";
import { memory as words } from "../../texts/memory";
import styles from "./PalaceTree.module.css";
import type { Node, Row, useTree } from "./tree";

const HEIGHT = 34;
const icons: Record<Node["kind"], IconName> = { wing: "folder", room: "talk", closet: "topic", drawer: "line" };

interface Props {
  tree: ReturnType<typeof useTree>;
  /** What is shown beside the tree: a room's or a drawer's pointer without its sign. */
  chosen: string | null;
  choose: (pointer: string) => void;
}

export function PalaceTree({ tree: { rows, toggle, more, retry }, chosen, choose }: Props) {
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string | null>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => HEIGHT,
    getItemKey: (index) => rows[index]!.key,
    overscan: 12,
  });
  const shown = virtual.getVirtualItems();
  // What is scrolled to is loaded.
  const reached = shown.map(({ index }) => rows[index]).find((row) => row?.row === "more");
  useEffect(() => {
    if (reached?.row === "more" && reached.cursor) more(reached.branch, reached.cursor);
  }, [reached, more]);

  // The first row where the active one is gone, as it goes once its branch is loaded.
  const at = Math.max(0, rows.findIndex(({ key }) => key === active));
  const current = rows[at]?.key;
  const go = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!row) return;
    setActive(row.key);
    virtual.scrollToIndex(rows.indexOf(row));
  };
  const press = (row: Row) => {
    setActive(row.key);
    if (row.row === "failed") retry(row.branch);
    else if (row.row === "more" && row.cursor) more(row.branch, row.cursor);
    else if (row.row === "node") {
      if (row.node.kind !== "drawer") toggle(row.node);
      const pointer = target(row.node);
      if (pointer && (row.node.kind === "drawer" || !row.open)) choose(pointer);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at];
    const keys: Record<string, () => void> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      PageDown: () => go(at + 10),
      PageUp: () => go(at - 10),
      Enter: () => row && press(row),
      " ": () => row && press(row),
      ArrowRight: () => {
        if (row?.row !== "node" || row.node.kind === "drawer") return;
        if (row.open) go(at + 1);
        else toggle(row.node);
      },
      ArrowLeft: () => {
        if (row?.row === "node" && row.open) toggle(row.node);
        else if (row) go(rows.slice(0, at).findLastIndex(({ depth }) => depth < row.depth));
      },
    };
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };

  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={words.tree.label}
      aria-activedescendant={current === undefined ? undefined : `${id}${current}`}
      tabIndex={0}
      className={styles.tree}
      onKeyDown={onKeyDown}
    >
      <div role="none" style={{ height: virtual.getTotalSize(), position: "relative" }}>
        {shown.map(({ index, start }) => {
          const row = rows[index]!;
          return (
            <div
              key={row.key}
              id={`${id}${row.key}`}
              role="treeitem"
              aria-level={row.depth}
              aria-expanded={row.row === "node" && row.node.kind !== "drawer" ? row.open : undefined}
              aria-selected={chosen !== null && row.row === "node" && target(row.node) === chosen}
              aria-disabled={row.row === "loading" || row.row === "more" || undefined}
              className={styles.row}
              data-active={row.key === current}
              style={{ transform: `translateY(${start}px)`, height: HEIGHT, paddingInlineStart: 4 + (row.depth - 1) * 14 }}
              onClick={() => press(row)}
            >
              <Content row={row} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** What a node shows beside the tree. */
function target(node: Node): string | null {
  if (node.kind === "room" || node.kind === "drawer") return node.key;
  return null;
}

/** A name; a room's without the day that it begins with, which stands beside it. */
function named(node: Exclude<Node, { kind: "drawer" }>): string {
  return node.kind === "room" ? withoutDay(node.of.name) : node.of.name;
}

function Content({ row }: { row: Row }) {
  if (row.row === "failed") {
    return (
      <Text size="sm" c="var(--mantine-color-error)">
        {words.tree.failed}
      </Text>
    );
  }
  if (row.row !== "node") return <Skeleton height={14} width="70%" ml={22} aria-label={words.tree.loading} />;
  const { node } = row;
  const leaf = node.kind === "drawer";
  return (
    <>
      <span className={styles.chevron} data-open={row.open} data-leaf={leaf}>
        {leaf ? null : <Icon name="chevron" size={14} />}
      </span>
      <Text c="dimmed" lh={0} component="span">
        <Icon name={node.kind === "wing" && node.of.kind === "person" ? "person" : icons[node.kind]} size={16} />
      </Text>
      <Box component="span" className={styles.name} dir="auto">
        {leaf ? (
          <>
            <b>{node.of.speaker}</b> {node.of.text.slice(0, 120)}
          </>
        ) : (
          named(node)
        )}
      </Box>
      {node.kind === "room" ? (
        <Text component="span" size="xs" c="dimmed" className={styles.count}>
          <Ago at={node.of.started_at} as="day" />
        </Text>
      ) : leaf ? null : (
        <Text component="span" size="xs" c="dimmed" className={styles.count} title={words.tree.counts(node.of.drawers)}>
          {node.of.drawers.toLocaleString("en")}
        </Text>
      )}
    </>
  );
}
