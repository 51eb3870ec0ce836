/** How far the key reaches that one is signed in with. */
import { useMe } from "./session";

/** Whether nothing can be changed with it. */
export function useReadOnly(): boolean {
  return useMe().data?.read_only ?? false;
}
