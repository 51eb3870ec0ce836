/** One run: what it saw, why, what it wrote or why that was dropped, and what happened. */
import { Alert, Card, Group, List, Stack, Table, Text, Title } from "@mantine/core";

import type { Access, Event, Run } from "../../api/schema";
import { Ago } from "../../parts/Ago";
import { Facts } from "../../parts/Facts";
import { Lines, Loaded } from "../../parts/states";
import { Verbatim } from "../../parts/Verbatim";
import { eventName } from "../../texts/activity";
import { runs as words } from "../../texts/runs";
import { useMemories, useRecord, useRun } from "./queries";
import { Status } from "./Status";

/** Where the part of the prompt that comes from memory begins; it ends at the first empty line. */
const HEADING = "## Context Memory\n";

export function RunView({ id, names }: { id: string; names: Map<string, string> }) {
  const run = useRun(id);
  const record = useRecord(id, run.data?.status);
  return (
    <Loaded query={run} skeleton={<Lines count={4} height={110} />}>
      {(found) => (
        <Stack gap="md">
          <Head run={found} name={names.get(found.agent_id) ?? words.gone} />
          <Saw run={found} />
          <Loaded query={record} skeleton={<Lines count={2} height={110} />}>
            {({ events, accesses }) => (
              <>
                <Why accesses={accesses} />
                <Wrote run={found} accesses={accesses} events={events} />
                <Events events={events} />
              </>
            )}
          </Loaded>
        </Stack>
      )}
    </Loaded>
  );
}

function Head({ run, name }: { run: Run; name: string }) {
  const seconds = run.ended_at ? (Date.parse(run.ended_at) - Date.parse(run.started_at)) / 1000 : null;
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Title order={2}>{name}</Title>
        <Status status={run.status} />
      </Group>
      <Facts
        of={[
          [words.facts.started, <Ago at={run.started_at} />],
          [words.facts.took, seconds === null ? words.stillRunning : words.seconds(seconds)],
          ...(run.conversation_id ? [[words.facts.conversation, run.conversation_id] as [string, string]] : []),
          [words.facts.run, run.id],
        ]}
      />
    </Card>
  );
}

function Saw({ run }: { run: Run }) {
  const prompt = run.prompt ?? "";
  const end = prompt.startsWith(HEADING) ? prompt.indexOf("\n\n") : -1;
  const block = end < 0 ? "" : prompt.slice(0, end);
  const template = end < 0 ? prompt : prompt.slice(end + 2);
  return (
    <Card withBorder component="section" aria-label={words.saw.title}>
      <Title order={2}>{words.saw.title}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {words.saw.about}
      </Text>
      {block ? (
        <Card bg="var(--mantine-primary-color-light)" mb="sm" padding="sm">
          <Text size="xs" fw={600} mb={4}>
            {words.saw.block}
          </Text>
          <Verbatim text={block} mono />
        </Card>
      ) : (
        <Text size="sm" mb="sm">
          {words.saw.nothing}
        </Text>
      )}
      <Text size="xs" fw={600} mb={4}>
        {words.saw.template}
      </Text>
      <Verbatim text={template} mono />
    </Card>
  );
}

function Why({ accesses }: { accesses: Access[] }) {
  const reads = accesses.filter(({ action }) => action !== "write");
  if (!reads.length) return null;
  return (
    <Card withBorder component="section" aria-label={words.why.title}>
      <Title order={2} mb="xs">
        {words.why.title}
      </Title>
      {reads.map((each) => (
        <Stack key={each.id} gap={4} mb="xs">
          <Text size="sm" c="dimmed">
            {words.why.strategies[String(each.context?.injection)] ?? words.why.strategies[each.action === "search" ? "relevant" : ""] ?? words.why.other}
          </Text>
          <Memories ids={each.memory_ids} />
        </Stack>
      ))}
    </Card>
  );
}

function Wrote({ run, accesses, events }: { run: Run; accesses: Access[]; events: Event[] }) {
  const written = accesses.filter(({ action }) => action === "write").flatMap((each) => each.memory_ids);
  const dropped = events.find(({ event }) => event === "memory_dropped");
  const ended = events.find(({ event }) => event === "run_failed" || event === "run_cancelled");
  return (
    <Card withBorder component="section" aria-label={words.wrote.title}>
      <Title order={2} mb="xs">
        {words.wrote.title}
      </Title>
      {written.length ? <Memories ids={written} /> : null}
      {dropped ? <Dropped event={dropped} reason={ended?.payload?.reason} /> : null}
      {written.length || dropped ? null : (
        <Text size="sm">{run.status === "running" ? words.wrote.running : words.wrote.nothing}</Text>
      )}
    </Card>
  );
}

interface Dropping {
  reason?: string;
  write_count?: number;
  problems?: { node: string | null; index: number | null; reason: string }[];
}

function Dropped({ event, reason }: { event: Event; reason: unknown }) {
  const told = event.payload as Dropping;
  return (
    <Alert color="red" variant="light" title={told.write_count ? words.wrote.dropped(told.write_count) : words.wrote.droppedAll}>
      <Text size="sm">
        {words.wrote.because}: {String(reason ?? told.reason ?? "")}
      </Text>
      {told.problems?.length ? (
        <List size="sm" mt={4}>
          {told.problems.map((each, index) => (
            <List.Item key={index}>
              {[words.wrote.problem(each.node, each.index), each.reason].filter(Boolean).join(": ")}
            </List.Item>
          ))}
        </List>
      ) : null}
    </Alert>
  );
}

function Memories({ ids }: { ids: string[] }) {
  const memories = useMemories(ids);
  return (
    <Stack gap={6}>
      {memories.map((query, index) => (
        <Card key={ids[index]} padding="xs" withBorder>
          <Loaded query={query} skeleton={<Lines count={1} height={24} />}>
            {(memory) =>
              memory === null ? (
                <Text size="sm" c="dimmed">
                  {words.removed}
                </Text>
              ) : (
                <Group justify="space-between" wrap="nowrap" align="flex-start" gap="sm">
                  <Text size="sm" component="div">
                    <Verbatim text={memory.content} most={600} />
                  </Text>
                  <Text size="xs" c="dimmed" className="number" style={{ whiteSpace: "nowrap" }}>
                    {memory.confidence == null ? memory.kind : words.why.sure(memory.confidence.toFixed(2))}
                  </Text>
                </Group>
              )
            }
          </Loaded>
        </Card>
      ))}
    </Stack>
  );
}

function Events({ events }: { events: Event[] }) {
  if (!events.length) return null;
  return (
    <Card withBorder component="section" aria-label={words.events.title}>
      <Title order={2} mb="xs">
        {words.events.title}
      </Title>
      <Table verticalSpacing={4}>
        <Table.Tbody>
          {events.map((each) => (
            <Table.Tr key={each.id}>
              <Table.Td>{eventName(each.event)}</Table.Td>
              <Table.Td className="number">
                <Ago at={each.created_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
