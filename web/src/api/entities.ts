/** Names of entities that events refer to by their ids. */
import { useQueries } from "@tanstack/react-query";

import { api, got } from "./client";

/** The names of these entities by id, without deleted ones. */
export function useEntityNames(ids: string[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(ids)];
  return useQueries({
    queries: wanted.map((entity) => ({
      queryKey: ["entities", entity],
      queryFn: () => got(api.GET("/v1/entities/{entity}", { params: { path: { entity } } })),
      staleTime: 60_000,
      retry: false,
    })),
    // An id that was merged into another entity is answered with that one.
    combine: (answers) => new Map(answers.flatMap(({ data }, index) => (data ? [[wanted[index]!, data.name] as const] : []))),
  });
}
