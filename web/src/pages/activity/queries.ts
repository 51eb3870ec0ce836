/** What the page Activity asks the server. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";

import { useChange } from "../../api/change";
import { api, got } from "../../api/client";
import { Problem } from "../../api/problem";
import type { paths } from "../../api/schema";

const STEP = 50;

/** A type of event, or who brought it about. */
export type Kind = NonNullable<NonNullable<paths["/v1/activity"]["get"]["parameters"]["query"]>["type"]>[number];

export function useEvents(types: Kind[]) {
  return useInfiniteQuery({
    queryKey: ["activity", types],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => got(api.GET("/v1/activity", { params: { query: { type: types.length ? types : null, limit: STEP, cursor: pageParam } } })),
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    placeholderData: keepPreviousData,
  });
}

/** The server checks one chain of a user at a time, and goes on with one that this page no longer waits for. */
export function useChain() {
  return useQuery({
    queryKey: ["audit", "chain"],
    queryFn: () => got(api.GET("/v1/audit/chain")),
    retry: (times, error) => times < 60 && error instanceof Problem && error.status === 429,
    retryDelay: 1000,
  });
}

export function useSeal() {
  return useChange(["audit"], () => got(api.POST("/v1/audit/seal")));
}

export function useAccesses(memory: string | null) {
  return useQuery({
    queryKey: ["audit", "accesses", memory],
    enabled: memory !== null,
    queryFn: async () => (await got(api.GET("/v1/memories/{memory}/accesses", { params: { path: { memory: memory! } } }))).items,
  });
}

export function useJobs() {
  return useQuery({ queryKey: ["jobs"], queryFn: async () => (await got(api.GET("/v1/jobs"))).items, refetchInterval: 5000 });
}

/** Lets one job, or every one that was given up, be tried again. */
export function useRetry() {
  return useChange(["jobs"], async (job: number | null) => {
    if (job === null) await got(api.POST("/v1/jobs/retry"));
    else await got(api.POST("/v1/jobs/{job}/retry", { params: { path: { job } } }));
  });
}

export function useHeld() {
  return useQuery({ queryKey: ["review"], queryFn: async () => (await got(api.GET("/v1/review", { params: { query: { limit: 100 } } }))).items });
}

/** Lets a held write be remembered, or not. */
export function useReview() {
  return useChange(["review", "activity"], async ({ held, accept }: { held: string; accept: boolean }) => {
    const params = { path: { held } };
    if (accept) await got(api.POST("/v1/review/{held}/accept", { params }));
    else await got(api.POST("/v1/review/{held}/reject", { params }));
  });
}
