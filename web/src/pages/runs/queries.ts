/** What the page Runs asks the server. */
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";

import { api, got } from "../../api/client";
import { Problem } from "../../api/problem";

export function useRuns(agent: string | null, limit: number) {
  return useQuery({
    queryKey: ["runs", agent, limit],
    queryFn: async () => (await got(api.GET("/v1/runs", { params: { query: { agent, limit } } }))).items,
    placeholderData: keepPreviousData,
  });
}

export function useRun(run: string) {
  return useQuery({
    queryKey: ["runs", run],
    queryFn: () => got(api.GET("/v1/runs/{run}", { params: { path: { run } } })),
    refetchInterval: (query) => (query.state.data?.status === "running" ? 3000 : false),
  });
}

/** The events of a run and its accesses, which say what it read and wrote, and why. */
export function useRecord(run: string, status: string | undefined) {
  return useQuery({
    queryKey: ["runs", run, "record", status],
    enabled: status !== undefined,
    queryFn: async () => {
      const path = { run };
      const [events, accesses] = await Promise.all([
        got(api.GET("/v1/runs/{run}/events", { params: { path } })),
        got(api.GET("/v1/runs/{run}/accesses", { params: { path } })),
      ]);
      return { events: events.items, accesses: accesses.items };
    },
  });
}

/** Memories by their ids, null for those that are gone. */
export function useMemories(ids: string[]) {
  return useQueries({
    queries: ids.map((memory) => ({
      queryKey: ["memories", memory],
      queryFn: async () => {
        try {
          return await got(api.GET("/v1/memories/{memory}", { params: { path: { memory } } }));
        } catch (error) {
          if (error instanceof Problem && error.status === 404) return null;
          throw error;
        }
      },
    })),
  });
}
