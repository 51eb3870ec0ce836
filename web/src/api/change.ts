/** Changing something at the server, after which all that was asked of these nouns is asked again. */
import { useMutation, useQueryClient } from "@tanstack/react-query";

export function useChange<A, T>(nouns: string[], change: (wanted: A) => Promise<T>) {
  const again = useAgain(nouns);
  return useMutation({ mutationFn: change, onSuccess: again });
}

/** Asks again for all that begins with one of the nouns. */
export function useAgain(nouns: string[]) {
  const client = useQueryClient();
  return () => Promise.all(nouns.map((noun) => client.invalidateQueries({ queryKey: [noun] })));
}
