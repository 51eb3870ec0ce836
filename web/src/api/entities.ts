/** Names of entities that events refer to by their ids. */
import { useQueries } from "@tanstack/react-query";

import { api, got } from "./client";

/** The names of these entities by id, without deleted ones. */
export function useEntityNames(ids: string[]): ReadonlyMap<string, string> {
  return useQueries({
    queries: [...new Set(ids)].map((entity) => ({
      queryKey: ["entities", entity],
      queryFn: () => got(api.GET("/v1/entities/{entity}", { params: { path: { entity } } })),
      staleTime: 60_000,
      retry: false,
    })),
    combine: (answers) => new Map(answers.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : []))),
  });
}
