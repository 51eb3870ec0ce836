/** What the page Memory asks the server. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";

import { api, got, look } from "../../api/client";
import type { Drawer } from "../../api/schema";
import { bare } from "../../parts/links";

/** What a search is narrowed to. */
export interface Narrowing {
  wing: string | null;
  speaker: string | null;
  since: string | null;
  until: string | null;
  /** Probability below which nothing is found; null is the server's default. */
  min_confidence: number | null;
}

export function useRecall(question: string, lines: number, narrowing: Narrowing) {
  return useQuery({
    queryKey: ["palace", "recall", question, lines, narrowing],
    enabled: question !== "",
    queryFn: () => got(api.POST("/v1/recall", { body: { question, top_k: lines, ...narrowing, max_tokens: 2000, dry_run: false } })),
    ...look,
    placeholderData: keepPreviousData,
  });
}

export function useHistogram(wing: string | null, speaker: string | null) {
  return useQuery({
    queryKey: ["palace", "histogram", wing, speaker],
    queryFn: () => got(api.GET("/v1/palace/histogram", { params: { query: { wing, speaker } } })),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

export function useWings(search: string) {
  return useQuery({
    queryKey: ["palace", "wings", search],
    queryFn: async () => (await got(api.GET("/v1/palace/wings", { params: { query: { order: "largest", search: search || null, limit: 50 } } }))).items,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

export function useSpeakers(wing: string | null) {
  return useQuery({
    queryKey: ["palace", "speakers", wing],
    queryFn: async () => (await got(api.GET("/v1/palace/speakers", { params: { query: { wing, limit: 200 } } }))).items,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

interface Look {
  pointer: string;
  before: number;
  after: number;
}

interface Stretch {
  drawers: Drawer[];
  /** Whether there are turns behind the last one. */
  more: boolean;
}

const FIRST = 12;
const STEP = 50;

async function stretch({ pointer, before, after }: Look, pivot: boolean): Promise<Stretch> {
  const params = { path: { pointer: bare(pointer) }, query: { before, after } };
  const { items: drawers } = await got(api.GET("/v1/palace/around/{pointer}", { params }));
  const place = drawers.findIndex((each) => bare(each.pointer) === bare(pointer));
  const at = place < 0 ? Math.min(before, drawers.length - 1) : place;
  const more = drawers.length - 1 - at >= after;
  return { drawers: pivot ? drawers : drawers.filter((_, index) => index !== at), more };
}

/** A drawer, or a room from its first one, in its conversation; more turns before and after it on demand. */
export function useTalk(at: string) {
  const first: Look = isDrawer(at) ? { pointer: at, before: FIRST, after: FIRST } : { pointer: `${at}/D-001`, before: 0, after: STEP };
  return useInfiniteQuery({
    queryKey: ["palace", "talk", at],
    ...look,
    initialPageParam: first,
    queryFn: ({ pageParam }) => stretch(pageParam, pageParam.pointer === first.pointer),
    getNextPageParam: ({ drawers, more }): Look | undefined => {
      const last = drawers.at(-1);
      return last && more ? { pointer: last.pointer, before: 0, after: STEP } : undefined;
    },
    getPreviousPageParam: ({ drawers }): Look | undefined => {
      const head = drawers[0];
      return head && head.position > 0 ? { pointer: head.pointer, before: STEP, after: 0 } : undefined;
    },
    select: ({ pages }) => pages.flatMap(({ drawers }) => drawers),
  });
}

export function isDrawer(pointer: string): boolean {
  return /\/D-?\d+$/.test(pointer);
}
