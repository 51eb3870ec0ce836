/** One run: what it saw, why, what it wrote or why that was dropped, and what happened. */
import { Alert, Card, Group, List, Stack, Table, Text, Title } from "@mantine/core";

import type { Access, Entry, Event, Run, SeenMemory } from "../../api/schema";
import { Ago } from "../../parts/Ago";
import { Facts } from "../../parts/Facts";
import { Lines, Loaded } from "../../parts/states";
import { Verbatim } from "../../parts/Verbatim";
import { agents } from "../../texts/agents";
import { told as inWords } from "../../texts/events";
import { runs as words } from "../../texts/runs";
import { shared } from "../../texts/shared";
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
            {({ events, accesses, seen }) => (
              <>
                <Why seen={seen} />
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

function Why({ seen }: { seen: SeenMemory[] }) {
  if (!seen.length) return null;
  return (
    <Card withBorder component="section" aria-label={words.why.title}>
      <Title order={2}>{words.why.title}</Title>
      <Text size="sm" c="dimmed" mb="xs">
        {words.why.about}
      </Text>
      {looks(seen).map((look) => (
        <Stack key={look[0]!.at} gap={6} mb="sm">
          <Text size="sm" c="dimmed">
            {words.why.how(look[0]!.why)}
          </Text>
          {look.map((each, index) => (
            <Card key={index} padding="xs" withBorder>
              <Text size="sm" component="div">
                <Verbatim text={each.text} most={600} />
              </Text>
              <Text size="xs" c="dimmed">
                {[agents.kinds[each.kind as Entry["kind"]] ?? each.kind, ...signals(each)].filter(Boolean).join(" · ")}
              </Text>
            </Card>
          ))}
        </Stack>
      ))}
    </Card>
  );
}

/** What was seen, look by look. */
function looks(seen: SeenMemory[]): SeenMemory[][] {
  const found: SeenMemory[][] = [];
  for (const each of seen) {
    if (found.at(-1)?.[0]?.at === each.at) found.at(-1)!.push(each);
    else found.push([each]);
  }
  return found;
}

/** What each signal gave it, the most first. */
function signals({ why }: SeenMemory): string[] {
  const given = Object.entries((why.signals ?? {}) as Record<string, unknown>).filter((each): each is [string, number] => typeof each[1] === "number" && each[1] > 0);
  return given.sort(([, one], [, other]) => other - one).map(([name, value]) => `${shared.signals[name]?.[0] ?? name} ${value.toFixed(2)}`);
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
              <Table.Td>{inWords(each)}</Table.Td>
              <Table.Td className="number" style={{ whiteSpace: "nowrap" }}>
                <Ago at={each.created_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
