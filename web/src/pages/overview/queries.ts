/** What the page Overview asks the server. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { api, got } from "../../api/client";

/** Milliseconds after which the numbers are asked for again. */
const EVERY = 10_000;
const NEWEST = 8;

export function useOverview() {
  return useQuery({ queryKey: ["overview"], queryFn: () => got(api.GET("/v1/overview")), refetchInterval: EVERY, staleTime: 0 });
}

/** The maximum cost of extracting facts with the LLM. */
export function useExtractionEstimate() {
  return useQuery({ queryKey: ["usage", "estimate"], queryFn: () => got(api.GET("/v1/usage/estimate")) });
}

/** Extract facts with the LLM from unread turns. */
export function useExtract() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => got(api.POST("/v1/facts/extract")),
    onSettled: () => client.invalidateQueries({ queryKey: ["overview"] }),
  });
}

export function useSettings() {
  return useQuery({ queryKey: ["settings"], queryFn: () => got(api.GET("/v1/settings")) });
}

/** The newest import, if there was one in the last week. */
export function useLastImport() {
  return useQuery({
    queryKey: ["operations", "last import"],
    queryFn: async () => {
      const { items } = await got(api.GET("/v1/operations", { params: { query: { limit: 50 } } }));
      return items.find(({ kind }) => kind === "import" || kind === "load") ?? null;
    },
    refetchInterval: EVERY,
  });
}

export function useNewestEvents() {
  return useQuery({
    queryKey: ["activity", "newest"],
    queryFn: async () => (await got(api.GET("/v1/activity", { params: { query: { limit: NEWEST } } }))).items,
    refetchInterval: EVERY,
  });
}
