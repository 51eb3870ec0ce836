/** The entries of an agent: filters, the rows, each of which opens a panel with all of it, and a form to write one. */
import { Badge, Button, Card, Group, NumberInput, Select, SimpleGrid, Stack, Switch, Table, Text, Textarea, TextInput, Title, UnstyledButton } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { useState } from "react";

import { useReadOnly } from "../../api/rights";
import type { Agent, Entry, NewEntry, Profile } from "../../api/schema";
import { Ago } from "../../parts/Ago";
import { Dialog, DialogForm } from "../../parts/Dialog";
import { Icon } from "../../parts/icons";
import { Receipt } from "../../parts/Receipt";
import { Empty, Failed, Lines } from "../../parts/states";
import { agents as words } from "../../texts/agents";
import { shared } from "../../texts/shared";
import styles from "./Entries.module.css";
import { MemoryDrawer } from "./MemoryDrawer";
import { options } from "./options";
import { useEntries, useWriteEntry, type Filter } from "./queries";

const told = words.entries;
const nothing: Filter = { profile: null, scope: null, source: null, text: "", expired: false };

export function Entries({ agent, profiles }: { agent: Agent; profiles: Profile[] }) {
  const [filter, setFilter] = useState(nothing);
  const [text] = useDebouncedValue(filter.text, 250);
  const entries = useEntries(agent.id, { ...filter, text });
  const [writing, { open, close }] = useDisclosure();
  const [shown, setShown] = useState<string | null>(null);
  const readOnly = useReadOnly();
  const found = entries.data?.pages.flatMap(({ items }) => items);
  return (
    <Card withBorder component="section" aria-label={told.title}>
      <Group justify="space-between" align="flex-start" mb="sm" wrap="nowrap">
        <div>
          <Title order={2}>{told.title}</Title>
          <Text size="sm" c="dimmed">
            {told.about}
          </Text>
        </div>
        <Button size="xs" variant="default" flex="none" onClick={open} disabled={readOnly || !profiles.length} leftSection={<Icon name="plus" size={14} />}>
          {told.write}
        </Button>
      </Group>
      <Filters filter={filter} profiles={profiles} onChange={setFilter} />
      {entries.isError && !found ? <Failed error={entries.error} retry={() => void entries.refetch()} /> : null}
      {!found && !entries.isError ? <Lines count={5} height={40} /> : null}
      {found?.length ? <Rows entries={found} profiles={profiles} onOpen={setShown} /> : null}
      {found?.length === 0 ? <None fresh={filter === nothing} /> : null}
      {entries.hasNextPage ? (
        <Button variant="default" mt="sm" onClick={() => void entries.fetchNextPage()} loading={entries.isFetchingNextPage}>
          {told.more}
        </Button>
      ) : null}
      <Dialog opened={writing} onClose={close} title={told.write} size="lg">
        <WriteForm profiles={profiles} onClose={close} />
      </Dialog>
      <MemoryDrawer id={shown} onClose={() => setShown(null)} />
    </Card>
  );
}

function None({ fresh }: { fresh: boolean }) {
  const said = fresh ? told.none : told.noneFit;
  return <Empty title={said.title}>{said.text}</Empty>;
}

function Filters({ filter, profiles, onChange }: { filter: Filter; profiles: Profile[]; onChange: (filter: Filter) => void }) {
  const set = (change: Partial<Filter>) => onChange({ ...filter, ...change });
  return (
    <Stack gap="xs" mb="md" role="search" aria-label={told.filter}>
      <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="xs">
        <Select label={told.scope} placeholder={told.all} data={options(words.scopes)} value={filter.scope} onChange={(scope) => set({ scope })} clearable />
        <Select label={told.source} placeholder={told.all} data={options(words.sources)} value={filter.source} onChange={(source) => set({ source })} clearable />
        <Select
          label={told.profile}
          placeholder={told.all}
          data={profiles.map(({ id, name }) => ({ value: id, label: name }))}
          value={filter.profile}
          onChange={(profile) => set({ profile })}
          clearable
        />
        <TextInput label={told.text} value={filter.text} onChange={(event) => set({ text: event.currentTarget.value })} leftSection={<Icon name="search" size={16} />} />
      </SimpleGrid>
      <Switch label={told.expired} checked={filter.expired} onChange={(event) => set({ expired: event.currentTarget.checked })} />
    </Stack>
  );
}

function Rows({ entries, profiles, onOpen }: { entries: Entry[]; profiles: Profile[]; onOpen: (id: string) => void }) {
  const names = new Map(profiles.map(({ id, name }) => [id, name]));
  return (
    <Table highlightOnHover verticalSpacing="xs" className={styles.table} aria-label={told.title}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{told.entry}</Table.Th>
          <Table.Th>{told.scope}</Table.Th>
          <Table.Th>{told.source}</Table.Th>
          <Table.Th className="number">{told.confidence}</Table.Th>
          <Table.Th className="number">{told.written}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map((entry) => (
          <Table.Tr key={entry.id} className={styles.row} onClick={() => onOpen(entry.id)}>
            <Table.Td className={styles.entry}>
              <UnstyledButton className={styles.open} dir="auto">
                {entry.content.slice(0, 300)}
              </UnstyledButton>
              <Mark entry={entry} />
            </Table.Td>
            <Table.Td data-label={told.scope}>{entry.scope ? words.scopes[entry.scope] : shared.none}</Table.Td>
            <Table.Td data-label={told.source} title={entry.profile_id ? names.get(entry.profile_id) : undefined}>
              {words.sources[entry.source ?? ""] ?? entry.source}
            </Table.Td>
            <Table.Td data-label={told.confidence} className="number">
              {entry.confidence?.toFixed(2)}
            </Table.Td>
            <Table.Td data-label={told.written} className="number">
              <Ago at={entry.created_at} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Mark({ entry }: { entry: Entry }) {
  const mark = entry.is_redacted ? told.redacted : entry.expires_at && Date.parse(entry.expires_at) < Date.now() ? told.hasExpired : null;
  return mark ? (
    <Badge size="xs" color="gray.7" ml={6}>
      {mark}
    </Badge>
  ) : null;
}

function WriteForm({ profiles, onClose }: { profiles: Profile[]; onClose: () => void }) {
  const write = useWriteEntry();
  const [profile, setProfile] = useState(profiles[0]?.id ?? "");
  const [content, setContent] = useState("");
  const [scope, setScope] = useState<NewEntry["scope"]>(profiles[0]?.scope ?? "project");
  const [source, setSource] = useState<string>("user");
  const [confidence, setConfidence] = useState<number | string>(0.9);
  const [conversation, setConversation] = useState("");
  const [expires, setExpires] = useState("");
  const submit = () =>
    write.mutate(
      {
        profile,
        content,
        scope,
        source: source as NewEntry["source"],
        confidence: Number(confidence),
        conversation: scope === "conversation" ? conversation : null,
        expires_at: expires ? new Date(expires).toISOString() : null,
      },
      { onSuccess: (receipt) => receipt.status === "stored" && onClose() },
    );
  const choose = (next: string | null) => {
    const chosen = profiles.find(({ id }) => id === next);
    if (!chosen) return;
    setProfile(chosen.id);
    setScope(chosen.scope ?? "project");
  };
  return (
    <DialogForm action={told.save} change={write} onSubmit={submit} onCancel={onClose} disabled={!content.trim()}>
      <Textarea label={told.content} value={content} onChange={(event) => setContent(event.currentTarget.value)} rows={4} data-autofocus />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select label={told.profile} data={profiles.map(({ id, name }) => ({ value: id, label: name }))} value={profile} onChange={choose} allowDeselect={false} />
        <Select label={told.scope} data={options(words.scopes)} value={scope} onChange={(next) => setScope(next ?? scope)} allowDeselect={false} />
        <Select label={told.source} data={options(words.sources)} value={source} onChange={(next) => setSource(next ?? source)} allowDeselect={false} />
        <NumberInput label={told.confidence} value={confidence} onChange={setConfidence} min={0} max={1} step={0.05} decimalScale={2} />
        <TextInput label={told.expires} type="datetime-local" value={expires} onChange={(event) => setExpires(event.currentTarget.value)} />
        {scope === "conversation" ? (
          <TextInput label={told.conversation} description={told.conversationAbout} value={conversation} onChange={(event) => setConversation(event.currentTarget.value)} />
        ) : null}
      </SimpleGrid>
      <Receipt receipt={write.data} />
    </DialogForm>
  );
}
