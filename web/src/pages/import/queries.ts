/** What the page Import asks the server. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { api, got } from "../../api/client";
import type { Operation, Upload } from "../../api/schema";
import { hasEnded } from "../../parts/operations";

/** A file, and its path below the folder that it came in. */
export interface Dropped {
  file: File;
  name: string;
}

/** Earlier imports that are shown, and milliseconds after which those that go on are looked at again. */
const EARLIER = 5;
const EVERY = 2000;
const KIND = { survey: "/v1/uploads/{upload}/survey", import: "/v1/uploads/{upload}/import", load: "/v1/uploads/{upload}/load" } as const;

/** Sends files one after the other, telling which is on its way; then lets the server read them. */
export function useSend(tell: (name: string, done: number) => void) {
  return useMutation({
    mutationFn: async (files: Dropped[]): Promise<{ upload: Upload; operation: Operation }> => {
      let upload = await got(api.POST("/v1/uploads"));
      let done = 0;
      for (const { file, name } of files) {
        tell(name, done);
        upload = await got(
          api.PUT("/v1/uploads/{upload}/files", {
            params: { path: { upload: upload.id }, query: { name } },
            body: file as unknown as string,
            bodySerializer: (body: unknown) => body as BodyInit,
            headers: { "Content-Type": "application/octet-stream" },
          }),
        );
        done += file.size;
      }
      return { upload, operation: await begin(upload.id, "survey") };
    },
  });
}

export function useBegin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ upload, kind, trusted }: { upload: string; kind: "import" | "load"; trusted: boolean }) => begin(upload, kind, trusted),
    onSuccess: () => client.invalidateQueries({ queryKey: ["palace"] }),
  });
}

/** The newest imports, looked at again while one goes on. */
export function useEarlier() {
  return useQuery({
    queryKey: ["operations", "imports"],
    queryFn: async () => {
      const { items } = await got(api.GET("/v1/operations", { params: { query: { limit: 100 } } }));
      return items.filter(({ kind }) => kind === "import" || kind === "load").slice(0, EARLIER);
    },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.every(hasEnded) === false ? EVERY : false),
  });
}

export function useStop() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (operation: string) => got(api.POST("/v1/operations/{operation}/cancel", { params: { path: { operation } } })),
    onSuccess: (now) => client.setQueryData(["operations", now.id], now),
  });
}

/** Removes an upload that is not wanted after all; it would go by itself in a day. */
export function useDiscard() {
  return useMutation({ mutationFn: (upload: string) => got(api.DELETE("/v1/uploads/{upload}", { params: { path: { upload } } })) });
}

function begin(upload: string, kind: keyof typeof KIND, trusted = false): Promise<Operation> {
  const path = { upload };
  if (kind === "load") return got(api.POST(KIND.load, { params: { path, query: { trusted } } }));
  return got(api.POST(KIND[kind], { params: { path } }));
}
