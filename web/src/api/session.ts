/** Who is signed in, signing in with a key, and signing out. The server keeps the session; scripts see none of it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { api, got } from "./client";

/** The key of what is asked about whoever is signed in. */
export const ME = ["me"] as const;

/** Whose memory this is; its error has the status 401 where nobody is signed in. */
export function useMe() {
  return useQuery({ queryKey: ME, queryFn: () => got(api.GET("/v1/user")), staleTime: Infinity });
}

/** Signs in with a key, and begins with an empty cache. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ME,
    mutationFn: (key: string) => got(api.POST("/signin", { body: { key } })),
    onSuccess: () => client.resetQueries(),
  });
}

/** Signs out, and forgets what was shown. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => got(api.POST("/signout")),
    onSettled: () => {
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== ME[0] });
      return client.resetQueries({ queryKey: ME });
    },
  });
}
