/** How this memory is synced between devices. */
import { useQuery } from "@tanstack/react-query";

import { api, got } from "./client";

/** Milliseconds after which the folder is looked at again; it may be on a server. */
const EVERY = 60_000;

export function useSync() {
  return useQuery({ queryKey: ["sync"], queryFn: () => got(api.GET("/v1/sync")), refetchInterval: EVERY });
}
