/** The state of the vectors, on several pages. */
import { useQuery } from "@tanstack/react-query";

import { api, got } from "./client";

/** Milliseconds after which it is asked for again. */
const EVERY = 10_000;

export function useVectors() {
  return useQuery({ queryKey: ["vectors"], queryFn: () => got(api.GET("/v1/vectors")), refetchInterval: EVERY });
}
