/** What the page Costs asks the server. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { useChange } from "../../api/change";
import { api, got } from "../../api/client";
import type { Price, SettingsChange, Usage } from "../../api/schema";

export function useUsage(by: Usage["by"]) {
  return useQuery({
    queryKey: ["usage", by],
    queryFn: () => got(api.GET("/v1/usage", { params: { query: { by } } })),
    placeholderData: keepPreviousData,
  });
}

export function useCalls() {
  return useQuery({ queryKey: ["usage", "calls"], queryFn: async () => (await got(api.GET("/v1/usage/calls", { params: { query: { limit: 30 } } }))).items });
}

export function usePrices() {
  return useQuery({ queryKey: ["usage", "prices"], queryFn: async () => (await got(api.GET("/v1/prices"))).items });
}

/** Sets a price, or takes the one of a model away. */
export function usePricing() {
  return useChange(["usage"], async (change: Price | string) => {
    if (typeof change === "string") await got(api.DELETE("/v1/prices", { params: { query: { model: change } } }));
    else await got(api.PUT("/v1/prices", { body: change }));
  });
}

export function useCaps() {
  return useChange(["usage", "settings"], (caps: Partial<SettingsChange>) => got(api.PATCH("/v1/settings", { body: caps as SettingsChange })));
}
