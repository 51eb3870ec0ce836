/** Long work on the server, followed until it has ended. */
import { useQuery } from "@tanstack/react-query";

import { api, got } from "../api/client";
import type { Operation } from "../api/schema";

const EVERY = 700;

export function hasEnded({ state }: Operation): boolean {
  return state === "done" || state === "failed" || state === "cancelled";
}

/** An operation as it is now, looked at again until it has ended. */
export function useOperation(operation: string | undefined) {
  return useQuery({
    queryKey: ["operations", operation],
    enabled: operation !== undefined,
    queryFn: () => got(api.GET("/v1/operations/{operation}", { params: { path: { operation: operation! } } })),
    refetchInterval: (query) => (query.state.data && hasEnded(query.state.data) ? false : EVERY),
  });
}
