/** The user's agents, whom several pages name. */
import { useQuery } from "@tanstack/react-query";

import { api, got } from "./client";

export function useAgents() {
  return useQuery({ queryKey: ["agents"], queryFn: async () => (await got(api.GET("/v1/agents"))).items });
}
