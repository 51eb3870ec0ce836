/** What the page Agents asks the server. */
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";

import { useChange } from "../../api/change";
import { api, got, look } from "../../api/client";
import type { AgentChange, NewAgent, NewEntry, NewProfile, NewWhiteboard, Profile, ProfileChange, Proposal, JournalEntry } from "../../api/schema";

/** What the API takes, where what has a default may be left out. */
type Given<T> = Partial<T>;

export function useAgent(agent: string) {
  return useQuery({ queryKey: ["agents", agent], queryFn: () => got(api.GET("/v1/agents/{agent}", { params: { path: { agent } } })) });
}

export function useCreateAgent() {
  return useChange(["agents"], (body: NewAgent) => got(api.POST("/v1/agents", { body })));
}

export function useChangeAgent(agent: string) {
  return useChange(["agents"], (body: AgentChange) => got(api.PATCH("/v1/agents/{agent}", { params: { path: { agent } }, body })));
}

export function useDeleteAgent() {
  return useChange(["agents", "memories", "whiteboards"], (agent: string) =>
    got(api.DELETE("/v1/agents/{agent}", { params: { path: { agent } } })),
  );
}

export function useGrants() {
  return useQuery({ queryKey: ["grants"], queryFn: async () => (await got(api.GET("/v1/grants"))).items });
}

/** Opens the global entries of an agent to another one, or closes them. */
export function useGrant(agent: string) {
  return useChange(["grants"], ({ to, open }: { to: string; open: boolean }) => {
    const params = { path: { agent, to_agent: to } };
    const path = "/v1/agents/{agent}/grants/{to_agent}";
    return got(open ? api.PUT(path, { params }) : api.DELETE(path, { params }));
  });
}

export function useProfiles(agent: string, enabled = true) {
  return useQuery({
    queryKey: ["profiles", agent],
    enabled,
    queryFn: async () => (await got(api.GET("/v1/agents/{agent}/profiles", { params: { path: { agent } } }))).items,
  });
}

export function useSaveProfile(agent: string, profile: Profile | null) {
  return useChange(["profiles", "memories"], (wanted: Given<NewProfile> & { name: string }) =>
    profile
      ? got(api.PATCH("/v1/profiles/{profile}", { params: { path: { profile: profile.id } }, body: wanted as ProfileChange }))
      : got(api.POST("/v1/agents/{agent}/profiles", { params: { path: { agent } }, body: wanted as NewProfile })),
  );
}

export function useDeleteProfile() {
  return useChange(["profiles", "memories"], (profile: string) =>
    got(api.DELETE("/v1/profiles/{profile}", { params: { path: { profile } } })),
  );
}

export interface Filter {
  profile: string | null;
  scope: "project" | "conversation" | "global" | null;
  source: string | null;
  text: string;
  expired: boolean;
}

export function useEntries(agent: string, { profile, scope, source, text, expired }: Filter) {
  return useInfiniteQuery({
    queryKey: ["memories", "entries", agent, profile, scope, source, text, expired],
    ...look,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam: cursor }) =>
      got(
        api.GET("/v1/memories", {
          params: {
            query: { kind: ["entry"], agent, profile, scope: scope && [scope], source, text: text || null, include_expired: expired, limit: 50, cursor },
          },
        }),
      ),
    getNextPageParam: (page) => page.cursor ?? null,
    placeholderData: keepPreviousData,
  });
}

export function useWriteEntry() {
  return useChange(["memories"], ({ profile, ...body }: Given<NewEntry> & { content: string; profile: string }) =>
    got(api.POST("/v1/profiles/{profile}/entries", { params: { path: { profile } }, body: body as NewEntry })),
  );
}

const memories = ["memories", "journal", "proposals", "whiteboards"];

export function useMemory(memory: string) {
  return useQuery({
    queryKey: ["memories", memory],
    queryFn: async () => {
      const params = { path: { memory } };
      const found = await got(api.GET("/v1/memories/{memory}", { params }));
      // After the memory itself, so that this look at it is in the log.
      const [accesses, versions] = await Promise.all([
        got(api.GET("/v1/memories/{memory}/accesses", { params })),
        got(api.GET("/v1/memories/{memory}/history", { params })),
      ]);
      return { memory: found, accesses: accesses.items, versions: versions.items };
    },
    ...look,
    staleTime: 0,
  });
}

export function useEdit(memory: string) {
  return useChange(memories, (content: string) =>
    got(api.PATCH("/v1/memories/{memory}", { params: { path: { memory } }, body: { content } })),
  );
}

export function redact(memory: string, reason: string | null) {
  return got(api.POST("/v1/memories/{memory}/redact", { params: { path: { memory } }, body: { reason } }));
}

export function forget(memory: string, reason: string | null) {
  return got(api.DELETE("/v1/memories/{memory}", { params: { path: { memory }, query: { reason } } }));
}

export function useJournal(agent: string, kind: JournalEntry["kind"] | null, text: string) {
  return useQuery({
    queryKey: ["journal", agent, kind, text],
    ...look,
    queryFn: async () => {
      const kinds = (kind ? [kind] : ["journal", "core"]) as ("journal" | "core")[];
      const query = { kind: kinds, limit: 100, include_expired: true, text: text || null };
      return (await got(api.GET("/v1/agents/{agent}/journal", { params: { path: { agent }, query } }))).items;
    },
    placeholderData: keepPreviousData,
  });
}

export function useCounts(agent: string) {
  return useQuery({
    queryKey: ["journal", agent, "counts"],
    queryFn: () => got(api.GET("/v1/agents/{agent}/counts", { params: { path: { agent } } })),
  });
}

export function useRemember(agent: string) {
  return useChange(["journal", "memories"], ({ into, content }: { into: "journal" | "core"; content: string }) => {
    const wanted = { params: { path: { agent } }, body: { content } };
    return got(into === "core" ? api.POST("/v1/agents/{agent}/core", wanted) : api.POST("/v1/agents/{agent}/journal", wanted));
  });
}

export function useProposals(agent: string) {
  return useQuery({
    queryKey: ["proposals", agent],
    queryFn: async () => (await got(api.GET("/v1/agents/{agent}/proposals", { params: { path: { agent } } }))).items,
  });
}

export function usePropose(agent: string) {
  return useChange(["proposals"], async (_: void) => (await got(api.POST("/v1/agents/{agent}/proposals", { params: { path: { agent } } }))).items);
}

export type Decision = "accept" | "reject" | "undo";

export function useDecide() {
  return useChange(["proposals", "journal", "memories"], ({ proposal, decision }: { proposal: Proposal; decision: Decision }) => {
    const wanted = { params: { path: { proposal: proposal.id } } };
    if (decision === "accept") return got(api.POST("/v1/proposals/{proposal}/accept", wanted));
    return got(decision === "reject" ? api.POST("/v1/proposals/{proposal}/reject", wanted) : api.POST("/v1/proposals/{proposal}/undo", wanted));
  });
}

export function useWhiteboards() {
  return useQuery({ queryKey: ["whiteboards"], queryFn: async () => (await got(api.GET("/v1/whiteboards"))).items });
}

export function useNotes(whiteboard: string) {
  return useQuery({
    queryKey: ["whiteboards", whiteboard, "notes"],
    ...look,
    queryFn: async () => (await got(api.GET("/v1/whiteboards/{whiteboard}/notes", { params: { path: { whiteboard } } }))).items,
  });
}

export function useCreateWhiteboard() {
  return useChange(["whiteboards"], (body: NewWhiteboard) => got(api.POST("/v1/whiteboards", { body })));
}

/** Opens a whiteboard to an agent, or closes it. */
export function useShare(whiteboard: string) {
  return useChange(["whiteboards"], ({ agent, open }: { agent: string; open: boolean }) => {
    const params = { path: { whiteboard, agent } };
    const path = "/v1/whiteboards/{whiteboard}/agents/{agent}";
    return got(open ? api.PUT(path, { params }) : api.DELETE(path, { params }));
  });
}

export function useWriteNote(whiteboard: string, agent: string) {
  return useChange(["whiteboards"], (content: string) =>
    got(api.POST("/v1/whiteboards/{whiteboard}/agents/{agent}/notes", { params: { path: { whiteboard, agent } }, body: { content } })),
  );
}

export async function deleteWhiteboard(whiteboard: string) {
  const { removed } = await got(api.DELETE("/v1/whiteboards/{whiteboard}", { params: { path: { whiteboard } } }));
  return { removed: { notes: removed ?? 0 } };
}
