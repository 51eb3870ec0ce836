/** Events as sentences, each with who caused it, when, and where it leads to. */
import { Anchor, Text } from "@mantine/core";
import { Link } from "wouter";

import type { Event } from "../api/schema";
import { useConversations } from "../api/conversations";
import { activity as words } from "../texts/activity";
import { told } from "../texts/events";
import { Ago } from "./Ago";
import styles from "./EventList.module.css";
import { toAccesses, toPage, toPointer } from "./links";

export function EventList({ events }: { events: Event[] }) {
  const conversations = useConversations(events.flatMap(({ conversation_id }) => conversation_id ?? []));
  return (
    <ul className={styles.list}>
      {events.map((event) => {
        const stored = event.conversation_id ? conversations.get(event.conversation_id) : undefined;
        const said = told(event);
        return (
          <li key={event.id} className={styles.event}>
            <Text size="sm" className={styles.said} lineClamp={4}>
              {stored ? (
                <Anchor component={Link} href={toPointer(stored.pointer)} c="inherit" inherit>
                  {said}
                </Anchor>
              ) : (
                said
              )}
            </Text>
            <Text size="xs" c="dimmed" component="div" className={styles.about}>
              <Ways of={event} />
              <span>
                {words.categories[event.category ?? "agent_action"]} · <Ago at={event.created_at} />
              </span>
            </Text>
          </li>
        );
      })}
    </ul>
  );
}

/** The id of the entity that an event is about. After a merge, it is the entity that stays. */
function entityOf({ payload }: Event): string | undefined {
  const entity = payload?.into ?? payload?.entity;
  return typeof entity === "string" ? entity : undefined;
}

/** Links to what an event is about. */
function Ways({ of }: { of: Event }) {
  const { run_id, payload } = of;
  const entity = entityOf(of);
  const ways: [string, string][] = [
    ...(run_id ? [[words.run, toPage(`/runs/${run_id}`)] as [string, string]] : []),
    ...(typeof payload?.memory_id === "string" ? [[words.memory, toAccesses(payload.memory_id)] as [string, string]] : []),
    ...(entity ? [[words.entity, toPage(`/entities/${entity}`)] as [string, string]] : []),
  ];
  return ways.map(([name, href]) => (
    <Anchor key={href} component={Link} href={href} size="xs">
      {name}
    </Anchor>
  ));
}
