/** Events as sentences. */
import type { Event, UserSettings } from "../api/schema";
import { counted, listed } from "./count";
import { settingNames, settings } from "./settings";

/** What each type of event is called, to filter by, and at the beginning of its sentence. */
export const eventNames: Record<string, string> = {
  memory_mined: "Conversation stored",
  memory_extracted: "Facts extracted",
  memory_injected: "Run started",
  memory_committed: "Run's writes stored",
  memory_dropped: "Run's writes dropped",
  run_failed: "Run failed",
  run_cancelled: "Run canceled",
  memory_redacted: "Text redacted",
  memory_forgotten: "Memory forgotten",
  memory_expired: "Memory expired",
  memory_held: "Write held for review",
  held_write_accepted: "Held write accepted",
  held_write_rejected: "Held write rejected",
  memory_reembedded: "Embedding model changed",
  chats_imported: "Conversations imported",
  entities_merged: "Entities merged",
  entities_parted: "Merged entities separated",
  palace_edited: "Palace edited",
  entity_changed: "Entity edited",
  relation_entered: "Relation added",
  relation_ended: "Relation ended",
  fact_confirmed: "Fact confirmed",
  fact_corrected: "Fact corrected",
  fact_rejected: "Fact rejected",
  fact_decision_undone: "Decision about a fact undone",
  agent_created: "Agent created",
  agent_changed: "Agent changed",
  agent_deleted: "Agent deleted",
  proposals_made: "Core memories proposed",
  proposal_accepted: "Proposal accepted",
  proposal_rejected: "Proposal rejected",
  proposal_undone: "Accepted proposal undone",
  settings_changed: "Settings changed",
  key_created: "API key created",
  key_revoked: "API key revoked",
};

const AGENT_FIELDS: Record<string, string> = { name: "name", system_prompt: "system prompt", memory_disabled: "memory" };
const REASONS: Record<string, string> = { problems: "because a write was invalid", failed: "because the run failed", cancelled: "because the run was canceled" };

/** What ids in events stand for, as far as the page knows. */
export interface Names {
  agent?: string | undefined;
  conversation?: string | undefined;
  entity?: string | undefined;
  key?: string | undefined;
}

/** An event as a sentence, such as "Conversation stored: “Kitchen”, 14 turns". */
export function told(event: Event, names: Names = {}): string {
  const head = eventNames[event.event] ?? plain(event.event);
  const rest = (details[event.event] ?? others)(event.payload ?? {}, event, names).filter(Boolean).join(", ");
  return rest ? `${head}: ${rest}` : head;
}

type Payload = Record<string, unknown>;
type Details = (payload: Payload, event: Event, names: Names) => (string | null)[];

const quoted = (name: string | null | undefined) => (name ? `“${name}”` : null);
const conversation: (event: Event, names: Names) => string | null = (event, names) => quoted(names.conversation ?? event.conversation_id);
const many = (payload: Payload, field: string, one: string, plural?: string) => (typeof payload[field] === "number" ? counted(payload[field], one, plural) : null);
const some = (payload: Payload, field: string, one: string, plural?: string) => (payload[field] ? many(payload, field, one, plural) : null);
const text = (value: unknown) => (typeof value === "string" ? value : null);
const ofAgent: Details = (_, __, { agent }) => [agent ?? null];
const reason: Details = (payload, _, { agent }) => [agent ?? null, text(payload.reason)];
const ofKey: Details = (_, __, { agent, key }) => [quoted(key), agent ?? null];
const ofEntity: Details = (_, __, { entity }) => [entity ?? null];
const count: Details = (payload) => (payload.memories === 1 ? [] : [many(payload, "memories", "memory", "memories")]);

const details: Record<string, Details> = {
  memory_mined: (payload, event, names) => [conversation(event, names), many(payload, "turns", "turn")],
  memory_extracted: (payload, event, names) => [conversation(event, names), many(payload, "facts", "fact"), many(payload, "mentions", "mention")],
  memory_injected: (payload, _, { agent }) => [agent ?? null, `${many(payload, "entry_count", "entry", "entries") ?? "no entries"} in its prompt`],
  memory_committed: (payload, _, { agent }) => [agent ?? null, many(payload, "write_count", "write")],
  memory_dropped: (payload, _, { agent }) => [agent ?? null, many(payload, "write_count", "write"), REASONS[String(payload.reason)] ?? text(payload.reason)],
  run_failed: reason,
  run_cancelled: reason,
  memory_redacted: count,
  memory_forgotten: count,
  memory_expired: count,
  memory_held: ofAgent,
  held_write_accepted: ofAgent,
  held_write_rejected: ofAgent,
  memory_reembedded: ({ from, to }) => [to ? `${text(from) ?? "no model"} → ${String(to)}` : null],
  chats_imported: (payload) => [
    many(payload, "conversations", "conversation"),
    many(payload, "stored", "new turn"),
    some(payload, "duplicates", "turn already stored", "turns already stored"),
    some(payload, "problems", "problem"),
  ],
  entities_merged: ofEntity,
  entities_parted: ofEntity,
  entity_changed: ({ fields }, _, { entity }) => [entity ?? null, Array.isArray(fields) ? listed(fields.map(String)) : null],
  relation_entered: ofEntity,
  relation_ended: ofEntity,
  palace_edited: ({ action, pointer }) => [plain(String(action)), text(pointer)],
  fact_confirmed: ofAgent,
  fact_corrected: ofAgent,
  fact_rejected: ofAgent,
  fact_decision_undone: ofAgent,
  agent_created: ofAgent,
  agent_changed: (payload, _, { agent }) => [agent ?? null, Array.isArray(payload.fields) ? listed(payload.fields.map((each) => AGENT_FIELDS[String(each)] ?? plain(String(each)))) : null],
  agent_deleted: ofAgent,
  proposals_made: (payload, _, { agent }) => [agent ?? null, many(payload, "proposals", "proposal")],
  proposal_accepted: ofAgent,
  proposal_rejected: ofAgent,
  proposal_undone: ofAgent,
  settings_changed: ({ changed }) => Object.entries((changed ?? {}) as Payload).map(([name, value]) => setting(name, value)),
  key_created: ofKey,
  key_revoked: ofKey,
};

/** Of events that this page does not know yet: their plain values with their names. */
const others: Details = (payload) =>
  Object.entries(payload)
    .filter(([, value]) => typeof value === "number" || typeof value === "string")
    .map(([name, value]) => `${plain(name)} ${String(value)}`);

function plain(name: string): string {
  return name.replaceAll("_", " ");
}

/** What became of a setting, as the page Settings names it: "“Results per recall” from 5 to 8". */
function setting(name: string, change: unknown): string {
  const { from, to } = change as { from: unknown; to: unknown };
  const label = settingNames[name as keyof UserSettings] ?? plain(name);
  return `“${label}” from ${chosen(name, from)} to ${chosen(name, to)}`;
}

function chosen(name: string, value: unknown): string {
  const { handling, waiting } = settings.guards;
  const choices: Record<string, Record<string, string>> = { secrets: handling, personal_data: handling, review: waiting, across_projects: settings.memory.across };
  if (value === null) return name.startsWith("cap_") ? "none" : "default";
  if (typeof value === "boolean") return value ? "on" : "off";
  if (name.startsWith("cap_")) return `$${String(value)}`;
  const choice = choices[name]?.[String(value)];
  return choice ? `“${choice}”` : String(value);
}
