/** Changing something at the server, after which all that was asked of these resources is asked again. */
import { useMutation, useQueryClient } from "@tanstack/react-query";

export function useChange<A, T>(names: string[], change: (wanted: A) => Promise<T>) {
  const again = useAgain(names);
  return useMutation({ mutationFn: change, onSuccess: again });
}

/** Asks again for all that begins with one of the names. */
export function useAgain(names: string[]) {
  const client = useQueryClient();
  return () => Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })));
}
