/** What happened, newest first, each event as a sentence; narrowed to who caused it, or to types. */
import { Button, Card, Center, Group, MultiSelect, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";

import { EventList } from "../../parts/EventList";
import { toPage } from "../../parts/links";
import { Empty, Lines, Loaded } from "../../parts/states";
import { activity as words } from "../../texts/activity";
import { eventNames } from "../../texts/events";
import { useEvents, type Kind } from "./queries";

export function Events() {
  const [category, setCategory] = useState<string | null>(null);
  const [types, setTypes] = useState<string[]>([]);
  // A type says more than who caused it.
  const wanted = (types.length ? types : category ? [category] : []) as Kind[];
  const events = useEvents(wanted);
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
          data={Object.entries(eventNames).map(([value, label]) => ({ value, label }))}
          value={types}
          onChange={setTypes}
          clearable
          searchable
        />
      </Group>
      <Loaded query={events} skeleton={<Lines count={10} height={52} />}>
        {(found) =>
          found.length ? (
            <Card withBorder padding={0} component="section" aria-label={words.tabs.events}>
              <EventList events={found} />
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
              <>
                <Text c="dimmed" size="sm">
                  {words.empty.text}
                </Text>
                <Button component={Link} href={toPage("/import")} mt="xs">
                  {words.empty.go}
                </Button>
              </>
            </Empty>
          )
        }
      </Loaded>
    </Stack>
  );
}
