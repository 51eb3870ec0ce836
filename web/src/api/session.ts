/** Who is signed in, signing in with a key, and signing out. The server keeps the session; scripts see none of it. */
import { useMutation, useQuery, useQueryClient, type Query } from "@tanstack/react-query";

import { api, got } from "./client";

/** The key of what is asked about whoever is signed in. */
export const ME = ["me"] as const;

/** Whose memory this is; its error has the status 401 where nobody is signed in. It is asked again when the window gets the
 * focus, since another tab signs in and out of the same session; what was shown to one user is gone before another is told. */
export function useMe() {
  const client = useQueryClient();
  return useQuery({
    queryKey: ME,
    queryFn: async () => {
      const now = await got(api.GET("/v1/user"));
      const before = client.getQueryData<typeof now>(ME);
      if (before && before.user !== now.user) client.removeQueries({ predicate: others });
      return now;
    },
    staleTime: Infinity,
    refetchOnWindowFocus: "always",
  });
}

function others({ queryKey }: Query): boolean {
  return queryKey[0] !== ME[0];
}

/** Signs in with a key; then what could not be asked before is asked again. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: ME,
    mutationFn: (key: string) => got(api.POST("/signin", { body: { key } })),
    onSuccess: async () => {
      await client.refetchQueries({ queryKey: ME });
      await client.refetchQueries({ predicate: (query) => others(query) && query.state.status === "error" });
    },
  });
}

/** Signs out, and forgets what was shown. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => got(api.POST("/signout")),
    onSettled: () => {
      client.removeQueries({ predicate: others });
      return client.resetQueries({ queryKey: ME });
    },
  });
}
