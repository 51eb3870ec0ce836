/** Stored conversations: the latest ones, and those that events name. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { withoutDay } from "../parts/rooms";
import { api, got } from "./client";
import type { StoredConversation } from "./schema";

/** The conversations that were stored last, newest first. */
export function useLatest(limit: number) {
  return useQuery({
    queryKey: ["palace", "conversations", "latest", limit],
    queryFn: async () => (await got(api.GET("/v1/palace/conversations", { params: { query: { limit } } }))).items,
    select: (found) => found.map(named),
  });
}

const MOST = 100;

/** Those of these conversations that are stored, by their ids; up to 100 of them. */
export function useConversations(ids: string[]): ReadonlyMap<string, StoredConversation> {
  const wanted = [...new Set(ids)].sort().slice(0, MOST);
  const found = useQuery({
    queryKey: ["palace", "conversations", wanted],
    enabled: wanted.length > 0,
    queryFn: async () => (await got(api.GET("/v1/palace/conversations", { params: { query: { conversation: wanted, limit: MOST } } }))).items,
    staleTime: 60_000,
    select: (found) => found.map(named),
    placeholderData: keepPreviousData,
  });
  return new Map(found.data?.map((each) => [each.conversation, each]));
}

/** One without a title is called by its first room. */
function named(of: StoredConversation): StoredConversation {
  return { ...of, title: withoutDay(of.title) };
}
