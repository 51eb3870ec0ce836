/** What happened, newest first, narrowed to who brought it about or to kinds. */
import { Anchor, Button, Card, Center, Group, MultiSelect, Select, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";

import { useAgents } from "../../api/agents";
import type { Event } from "../../api/schema";
import { Ago } from "../../parts/Ago";
import { toAccesses, toPage } from "../../parts/links";
import { Empty, Lines, Loaded } from "../../parts/states";
import { activity as words, eventName } from "../../texts/activity";
import { useEvents, type Kind } from "./queries";

/** The field that numbers the rooms which a conversation stands in. */
const ROOMS = "rooms";

export function Events() {
  const [category, setCategory] = useState<string | null>(null);
  const [types, setTypes] = useState<string[]>([]);
  // A type says more than who brought it about.
  const wanted = (types.length ? types : category ? [category] : []) as Kind[];
  const events = useEvents(wanted);
  const agents = useAgents();
  const names = new Map(agents.data?.map(({ id, name }) => [id, name]));
  return (
    <Stack>
      <Group grow align="flex-start" maw={640}>
        <Select
          label={words.filter.category}
          placeholder={words.filter.anybody}
          data={Object.entries(words.categories).map(([value, label]) => ({ value, label }))}
          value={category}
          onChange={(value) => {
            setCategory(value);
            setTypes([]);
          }}
          clearable
        />
        <MultiSelect
          label={words.filter.types}
          placeholder={types.length ? undefined : words.filter.anything}
          data={Object.entries(words.events).map(([value, label]) => ({ value, label }))}
          value={types}
          onChange={setTypes}
          clearable
          searchable
        />
      </Group>
      <Loaded query={events} skeleton={<Lines count={10} height={40} />}>
        {(found) =>
          found.length ? (
            <Card withBorder padding={0} component="section" aria-label={words.tabs.events}>
              <Table.ScrollContainer minWidth={280} type="native" tabIndex={0}>
                <Table verticalSpacing="xs" horizontalSpacing="md">
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{words.columns.what}</Table.Th>
                      <Table.Th visibleFrom="sm">{words.columns.by}</Table.Th>
                      <Table.Th>{words.columns.more}</Table.Th>
                      <Table.Th visibleFrom="sm">{words.columns.when}</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {found.map((event) => (
                      <Row key={event.id} of={event} agent={event.agent_id ? names.get(event.agent_id) : undefined} />
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
              {events.hasNextPage ? (
                <Center p="md">
                  <Button variant="default" onClick={() => void events.fetchNextPage()} loading={events.isFetchingNextPage}>
                    {words.older}
                  </Button>
                </Center>
              ) : null}
            </Card>
          ) : wanted.length ? (
            <Text c="dimmed">{words.noneFits}</Text>
          ) : (
            <Empty icon="activity" title={words.empty.title}>
              {words.empty.text}
            </Empty>
          )
        }
      </Loaded>
    </Stack>
  );
}

function Row({ of: event, agent }: { of: Event; agent: string | undefined }) {
  const by = agent ?? words.categories[event.category ?? "agent_action"];
  return (
    <Table.Tr>
      <Table.Td fw={550}>
        {eventName(event.event)}
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {by} · <Ago at={event.created_at} />
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">{by}</Table.Td>
      <Table.Td>
        <Text size="sm" c="dimmed" lineClamp={3} style={{ overflowWrap: "anywhere" }}>
          {event.run_id ? (
            <>
              <Anchor component={Link} href={toPage(`/runs/${event.run_id}`)} underline="always">
                {words.run}
              </Anchor>{" "}
            </>
          ) : null}
          {typeof event.payload?.memory_id === "string" ? (
            <>
              <Anchor component={Link} href={toAccesses(event.payload.memory_id)} underline="always" title={event.payload.memory_id}>
                {words.memory}
              </Anchor>{" "}
            </>
          ) : null}
          {told(event)}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm" style={{ whiteSpace: "nowrap" }}>
        <Ago at={event.created_at} />
      </Table.Td>
    </Table.Tr>
  );
}

/** The ids and counts of an event in a line, without the memory that it leads to. */
function told({ conversation_id, payload }: Event): string {
  const { memory_id: _, ...fields } = payload ?? {};
  const counts = Object.entries(fields).map(([name, value]) => (value === null ? "" : `${counted(name)}: ${name === ROOMS ? rooms(value) : inWords(value)}`));
  return [conversation_id, ...counts].filter(Boolean).join(" · ");
}

/** What a field of an event counts or tells. */
function counted(name: string): string {
  return name === "entry_count" ? words.counts.entries : name === "write_count" ? words.counts.writes : name.replaceAll("_", " ");
}

/** Rooms as pointers tell them, since their bare numbers would look like how many there are. */
function rooms(numbers: unknown): string {
  return Array.isArray(numbers) ? numbers.map((each) => `R-${String(each).padStart(2, "0")}`).join(", ") : inWords(numbers);
}

/** A value of an event: of a list how many there are, unless they are plain; of an object what it tells. */
function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.every((each) => typeof each !== "object") ? value.join(", ") || "0" : String(value.length);
  return typeof value === "object" && value !== null ? Object.values(value).map(inWords).join(", ") : String(value);
}
