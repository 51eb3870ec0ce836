/** What the page Runs asks the server. */
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";

import { api, got, look } from "../../api/client";
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

/** The events of a run, its accesses, which say what it wrote, and its replay: what it saw, as that was then, and why. */
export function useRecord(run: string, status: string | undefined) {
  return useQuery({
    queryKey: ["runs", run, "record", status],
    ...look,
    enabled: status !== undefined,
    queryFn: async () => {
      const path = { run };
      const [events, accesses, replay] = await Promise.all([
        got(api.GET("/v1/runs/{run}/events", { params: { path } })),
        got(api.GET("/v1/runs/{run}/accesses", { params: { path } })),
        got(api.GET("/v1/runs/{run}/replay", { params: { path } })),
      ]);
      return { events: events.items, accesses: accesses.items, seen: replay.seen };
    },
  });
}

/** Memories by their ids, null for those that are gone. */
export function useMemories(ids: string[]) {
  return useQueries({
    queries: ids.map((memory) => ({
      queryKey: ["memories", memory],
      ...look,
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
