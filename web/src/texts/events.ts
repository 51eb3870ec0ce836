/** Events as sentences. */
import type { Event, UserSettings } from "../api/schema";
import { settingNames, settings } from "./settings";

/** What each type of event is called, to filter by. */
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

/** An event as a sentence, such as "Conversation stored: “Kitchen”, 14 turns". Settings have other names on this page. */
export function told({ event, payload, text = "" }: Event): string {
  if (event !== "settings_changed") return text;
  const changes = Object.entries((payload?.changed ?? {}) as Record<string, unknown>);
  return `${eventNames[event]}: ${changes.map(([name, change]) => setting(name, change)).join(", ")}`;
}

/** What became of a setting, as the page Settings names it: "“Results per recall” from 5 to 8". */
function setting(name: string, change: unknown): string {
  const { from, to } = change as { from: unknown; to: unknown };
  const label = settingNames[name as keyof UserSettings] ?? name;
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
