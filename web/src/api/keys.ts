/** The API keys, on several pages. */
import { useQuery } from "@tanstack/react-query";

import { api, got } from "./client";

export function useKeys(enabled = true) {
  return useQuery({ queryKey: ["keys"], enabled, queryFn: async () => (await got(api.GET("/v1/keys"))).items });
}
