/** What the page Settings asks the server. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { useChange } from "../../api/change";
import { api, got } from "../../api/client";
import type { KeyRequest, SettingsChange } from "../../api/schema";

const SETTINGS = ["settings"] as const;

export function useSettings() {
  return useQuery({ queryKey: SETTINGS, queryFn: () => got(api.GET("/v1/settings")) });
}

export function useChangeSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: Partial<SettingsChange> | null) => got(change ? api.PATCH("/v1/settings", { body: change as SettingsChange }) : api.DELETE("/v1/settings")),
    onSuccess: (now) => client.setQueryData(SETTINGS, now),
  });
}

export function useCreateKey() {
  return useChange(["keys"], (wanted: Partial<KeyRequest>) => got(api.POST("/v1/keys", { body: wanted as KeyRequest })));
}

export function useRevokeKey() {
  return useChange(["keys"], (key: string) => got(api.DELETE("/v1/keys/{key}", { params: { path: { key } } })));
}

export function useExport() {
  return useMutation({ mutationFn: () => got(api.POST("/v1/export")) });
}
