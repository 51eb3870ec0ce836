/** The palace as rows of a tree: which branches are open, and what of them is loaded, page by page. */
import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";

import { api, got, look } from "../../api/client";
import type { Closet, Drawer, Room, Wing } from "../../api/schema";
import { bare } from "../../parts/links";

/** A node of the palace. `room` and `closet` say where a closet or a drawer stands. */
export type Node =
  | { kind: "wing"; key: string; of: Wing }
  | { kind: "room"; key: string; of: Room }
  | { kind: "closet"; key: string; of: Closet; room: string }
  | { kind: "drawer"; key: string; of: Drawer };

/** A row: a node, or what stands in place of those that are not there yet. */
export type Row = { depth: number; open: boolean } & (
  | { row: "node"; key: string; node: Node }
  | { row: "loading"; key: string; branch: string; cursor?: string }
  | { row: "failed"; key: string; branch: string; cursor?: string }
  | { row: "more"; key: string; branch: string; cursor?: string }
);

interface Page {
  nodes: Node[];
  cursor: string | null;
}

/** The branch that holds the wings. */
const TOP = "";
const PAGE = 100;

/** The rows of the tree, and what opens, closes and loads more of it. */
export function useTree() {
  const client = useQueryClient();
  /** The open branches, with the cursors of the pages that are wanted of each. */
  const [open, setOpen] = useState<ReadonlyMap<string, { node: Node | null; cursors: (string | null)[] }>>(
    () => new Map([[TOP, { node: null, cursors: [null] }]]),
  );
  const wanted = [...open].flatMap(([key, { node, cursors }]) => cursors.map((cursor) => ({ key, node, cursor })));
  const answers = useQueries({
    queries: wanted.map(({ key, node, cursor }) => ({
      queryKey: ["palace", "tree", key, cursor],
      queryFn: () => load(node, cursor),
      ...look,
      staleTime: 60_000,
    })),
  });

  const toggle = useCallback((node: Node) => {
    setOpen((before) => {
      const after = new Map(before);
      if (!after.delete(node.key)) after.set(node.key, { node, cursors: [null] });
      return after;
    });
  }, []);
  const more = useCallback((branch: string, cursor: string) => {
    setOpen((before) => {
      const at = before.get(branch);
      if (!at || at.cursors.includes(cursor)) return before;
      return new Map(before).set(branch, { ...at, cursors: [...at.cursors, cursor] });
    });
  }, []);
  const retry = useCallback((branch: string) => void client.refetchQueries({ queryKey: ["palace", "tree", branch] }), [client]);

  const rows: Row[] = [];
  const add = (branch: string, depth: number) => {
    for (const [index, { key, cursor }] of wanted.entries()) {
      if (key !== branch) continue;
      const answer = answers[index];
      const last = wanted[index + 1]?.key !== branch;
      if (answer?.data) {
        for (const node of answer.data.nodes) {
          const isOpen = open.has(node.key);
          rows.push({ row: "node", key: node.key, node, depth, open: isOpen });
          if (isOpen) add(node.key, depth + 1);
        }
        if (last && answer.data.cursor) rows.push({ row: "more", key: `${branch}+`, branch, depth, open: false, cursor: answer.data.cursor });
      } else {
        rows.push({ row: answer?.isError ? "failed" : "loading", key: `${branch}?${cursor}`, branch, depth, open: false });
      }
    }
  };
  add(TOP, 1);
  const top = answers[0];
  return { rows, toggle, more, retry, top: { data: top?.data, error: top?.error ?? null, isError: top?.isError ?? false } };
}

async function load(node: Node | null, cursor: string | null): Promise<Page> {
  const query = { limit: PAGE, cursor };
  if (node === null) {
    const page = await got(api.GET("/v1/palace/wings", { params: { query: { ...query, order: "newest" } } }));
    return { nodes: page.items.map((of) => ({ kind: "wing", key: bare(of.pointer), of })), cursor: page.cursor ?? null };
  }
  if (node.kind === "wing") {
    const page = await got(api.GET("/v1/palace/wings/{wing}/rooms", { params: { path: { wing: bare(node.of.pointer) }, query } }));
    return { nodes: page.items.map((of) => ({ kind: "room", key: bare(of.pointer), of })), cursor: page.cursor ?? null };
  }
  if (node.kind === "room") {
    const room = bare(node.of.pointer);
    const page = await got(api.GET("/v1/palace/rooms/{room}/closets", { params: { path: { room }, query } }));
    return { nodes: page.items.map((of) => ({ kind: "closet", key: `${room}#${of.number}`, of, room })), cursor: page.cursor ?? null };
  }
  if (node.kind === "closet") {
    const params = { path: { room: node.room }, query: { ...query, closet: String(node.of.number) } };
    const page = await got(api.GET("/v1/palace/rooms/{room}/drawers", { params }));
    return { nodes: page.items.map((of) => ({ kind: "drawer", key: bare(of.pointer), of })), cursor: page.cursor ?? null };
  }
  return { nodes: [], cursor: null };
}
