/** The tab Journal and core: the newest memories with their kind and time, which of them have faded, and writing one. */
import { ActionIcon, Badge, Button, Card, Group, SegmentedControl, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState, type FormEvent } from "react";

import { useAgain } from "../../api/change";
import { useReadOnly } from "../../api/rights";
import type { Agent, JournalEntry } from "../../api/schema";
import { Ago } from "../../parts/Ago";
import { Wrong } from "../../parts/Dialog";
import { Icon } from "../../parts/icons";
import { Receipt } from "../../parts/Receipt";
import { Removal } from "../../parts/Removal";
import { Empty, Lines, Loaded } from "../../parts/states";
import { Verbatim } from "../../parts/Verbatim";
import { agents as words } from "../../texts/agents";
import styles from "./Journal.module.css";
import { MemoryDrawer } from "./MemoryDrawer";
import { options } from "./options";
import { forget, useCounts, useJournal, useRemember } from "./queries";

const told = words.journal;
type Into = "journal" | "core";

export function JournalTab({ agent }: { agent: Agent }) {
  const counts = useCounts(agent.id);
  const [kind, setKind] = useState<Into | null>(null);
  const [typed, setTyped] = useState("");
  const [text] = useDebouncedValue(typed, 250);
  const memories = useJournal(agent.id, kind, text);
  return (
    <Stack gap="md">
      <WriteForm agent={agent} />
      <Card withBorder component="section" aria-label={told.newest}>
        <Group justify="space-between" align="flex-start" mb="sm">
          <div>
            <Title order={2}>{told.title}</Title>
            <Text size="sm" c="dimmed">
              {told.about}
            </Text>
          </div>
          <Text size="sm" className="number" mih={20}>
            {counts.data ? told.counts(counts.data.core ?? 0, counts.data.journal ?? 0) : " "}
          </Text>
        </Group>
        <Group gap="sm" mb="md" align="flex-end">
          <SegmentedControl
            aria-label={told.kind}
            data={[{ value: "", label: told.all }, ...options(told.kinds)]}
            value={kind ?? ""}
            onChange={(next) => setKind((next || null) as Into | null)}
          />
          <TextInput flex={1} miw={160} aria-label={told.text} placeholder={told.text} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} leftSection={<Icon name="search" size={16} />} />
        </Group>
        <Loaded query={memories} skeleton={<Lines count={6} height={64} />}>
          {(found) => (found.length ? <List memories={found} /> : <None fresh={!kind && !text} />)}
        </Loaded>
      </Card>
    </Stack>
  );
}

function None({ fresh }: { fresh: boolean }) {
  const said = fresh ? told.empty : told.noneFit;
  return <Empty title={said.title}>{said.text}</Empty>;
}

function List({ memories }: { memories: JournalEntry[] }) {
  const [shown, setShown] = useState<string | null>(null);
  const [removed, setRemoved] = useState<JournalEntry | null>(null);
  const readOnly = useReadOnly();
  const again = useAgain(["journal", "memories", "proposals"]);
  return (
    <>
      <Stack gap="xs" component="ul" className={styles.list}>
        {memories.map((each) => (
          <li key={each.id} className={styles.memory} data-expired={each.expired || undefined}>
            <div className={styles.said}>
              <Group gap="xs" mb={2}>
                <Badge size="sm" color={each.kind === "core" ? "moss.8" : "gray.7"}>
                  {words.kinds[each.kind]}
                </Badge>
                <Text size="xs" c="dimmed" component="span">
                  <Ago at={each.created_at} />
                </Text>
                {each.expired ? (
                  <Badge size="sm" color="yellow.4" c="dark.9" leftSection={<Icon name="clock" size={12} />}>
                    {told.expired}
                  </Badge>
                ) : null}
              </Group>
              <Text size="sm" component="div">
                <Verbatim text={each.content} most={1200} />
              </Text>
            </div>
            <Group gap={2} wrap="nowrap">
              <ActionIcon variant="subtle" color="gray" aria-label={told.open(each.content.slice(0, 80))} onClick={() => setShown(each.id)}>
                <Icon name="chevron" size={16} />
              </ActionIcon>
              <ActionIcon variant="subtle" color="gray" aria-label={told.remove(each.content.slice(0, 80))} onClick={() => setRemoved(each)} disabled={readOnly}>
                <Icon name="trash" size={16} />
              </ActionIcon>
            </Group>
          </li>
        ))}
      </Stack>
      <MemoryDrawer id={shown} onClose={() => setShown(null)} />
      <Removal
        opened={removed !== null}
        onClose={() => setRemoved(null)}
        title={words.memory.forgetTitle}
        about={
          <>
            {words.memory.forgetAbout}
            <Text size="sm" component="blockquote" m={0} mt="sm" className={styles.quote}>
              <Verbatim text={removed?.content ?? ""} most={300} />
            </Text>
          </>
        }
        action={words.memory.forget}
        remove={(reason) => forget(removed!.id, reason)}
        onDone={() => void again()}
      />
    </>
  );
}

function WriteForm({ agent }: { agent: Agent }) {
  const [content, setContent] = useState("");
  const [into, setInto] = useState<Into>("journal");
  const remember = useRemember(agent.id);
  const readOnly = useReadOnly();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    remember.mutate({ into, content }, { onSuccess: () => setContent("") });
  };
  return (
    <Card withBorder component="section" aria-label={told.write}>
      <form onSubmit={submit}>
        <Stack gap="xs">
          <Textarea label={told.content} value={content} onChange={(event) => setContent(event.currentTarget.value)} rows={2} disabled={readOnly} />
          <Wrong error={remember.error} />
          <Receipt receipt={remember.data} />
          <Group justify="space-between">
            <SegmentedControl
              aria-label={told.into}
              data={options(told.kinds)}
              value={into}
              onChange={(next) => setInto(next as Into)}
              disabled={readOnly}
            />
            <Button type="submit" loading={remember.isPending} disabled={readOnly || !content.trim()}>
              {told.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
