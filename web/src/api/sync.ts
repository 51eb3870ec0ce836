/** The sync of this memory between devices. */
import { useQuery } from "@tanstack/react-query";

import { api, got } from "./client";

/** Milliseconds between two checks of the folder, which may be on a server. */
const EVERY = 60_000;

export function useSync() {
  return useQuery({ queryKey: ["sync"], queryFn: () => got(api.GET("/v1/sync")), refetchInterval: EVERY });
}
