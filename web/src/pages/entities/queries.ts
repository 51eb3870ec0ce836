/** What the page Entities asks the server. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";

import { useChange } from "../../api/change";
import { api, got, look } from "../../api/client";
import type { Entity, EntityChange } from "../../api/schema";
import { bare } from "../../parts/links";

const STEP = 100;
/** What a change of an entity may show in another light. */
const names = ["entities", "relations", "about"];
/** Tokens of an About page: more than a prompt gets. */
const PAGE = 6_000;

/** What is known about an entity, by its id; null is the user. */
export function useAbout(name: string | null) {
  return useQuery({ queryKey: ["about", name], ...look, queryFn: () => got(api.GET("/v1/about", { params: { query: { name, max_tokens: PAGE } } })) });
}

export function useDecide() {
  return useChange(names, ({ fact, decision }: { fact: string; decision: "confirm" | "reject" }) => {
    const params = { path: { fact } };
    return got(decision === "confirm" ? api.POST("/v1/facts/{fact}/confirm", { params }) : api.POST("/v1/facts/{fact}/reject", { params }));
  });
}

export function useCorrect(fact: string) {
  return useChange(names, (object: string) => got(api.PATCH("/v1/facts/{fact}", { params: { path: { fact } }, body: { object } })));
}

export function useEntities(kind: Entity["kind"] | null, search: string) {
  return useInfiniteQuery({
    queryKey: ["entities", "list", kind, search],
    initialPageParam: 0,
    queryFn: async ({ pageParam: offset }) =>
      (await got(api.GET("/v1/entities", { params: { query: { kind, search: search || null, limit: STEP, offset } } }))).items,
    getNextPageParam: (page, pages) => (page.length === STEP ? pages.length * STEP : null),
    placeholderData: keepPreviousData,
  });
}

export function useEntity(entity: string) {
  return useQuery({ queryKey: ["entities", entity], queryFn: () => got(api.GET("/v1/entities/{entity}", { params: { path: { entity } } })) });
}

/** Entities whose names hold a text, to choose one of. */
export function useNamed(search: string) {
  return useQuery({
    queryKey: ["entities", "named", search],
    queryFn: async () => (await got(api.GET("/v1/entities", { params: { query: { search: search || null, limit: 20 } } }))).items,
    placeholderData: keepPreviousData,
  });
}

/** All relations of all times; what held at a moment is chosen from them, so that moving the time asks nothing. */
export function useRelations() {
  return useQuery({ queryKey: ["relations"], queryFn: async () => (await got(api.GET("/v1/relations"))).items, staleTime: 60_000 });
}

export function useTimeline(entity: string) {
  return useQuery({
    queryKey: ["relations", entity],
    queryFn: async () => (await got(api.GET("/v1/relations", { params: { query: { entity } } }))).items,
  });
}

/** Null is now. */
export function useNeighbors(entity: string, at: Date | null) {
  return useQuery({
    queryKey: ["entities", entity, "neighbors", at?.toISOString()],
    queryFn: async () => {
      const params = { path: { entity }, query: { as_of: at?.toISOString() ?? null } };
      return (await got(api.GET("/v1/entities/{entity}/neighbors", { params }))).items;
    },
    placeholderData: keepPreviousData,
  });
}

export function useMerged(entity: string) {
  return useQuery({
    queryKey: ["entities", entity, "merged"],
    queryFn: async () => (await got(api.GET("/v1/entities/{entity}/merged", { params: { path: { entity } } }))).items,
  });
}

export function useChangeEntity(entity: string) {
  return useChange(names, (body: EntityChange) => got(api.PATCH("/v1/entities/{entity}", { params: { path: { entity } }, body })));
}

export function useMerge(entity: string) {
  return useChange(names, (into: string) => got(api.POST("/v1/entities/{entity}/merge", { params: { path: { entity } }, body: { into } })));
}

export function useUnmerge() {
  return useChange(names, (entity: string) => got(api.POST("/v1/entities/{entity}/unmerge", { params: { path: { entity } } })));
}

/** A turn with the one before and the one after; null where it is gone. */
export function useTurns(pointer: string) {
  return useQuery({
    queryKey: ["palace", "turns", pointer],
    ...look,
    queryFn: async () => {
      const params = { path: { pointer: bare(pointer) }, query: { before: 1, after: 1 } };
      return (await got(api.GET("/v1/palace/around/{pointer}", { params }))).items;
    },
  });
}
