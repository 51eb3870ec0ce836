/** The tab Whiteboards: those that the agent shares, with their notes; making, sharing, writing on and deleting them. */
import { ActionIcon, Button, Card, Group, MultiSelect, Stack, Text, Textarea, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState, type FormEvent } from "react";

import { useAgain } from "../../api/change";
import { useReadOnly } from "../../api/rights";
import type { Agent, Whiteboard } from "../../api/schema";
import { Ago } from "../../parts/Ago";
import { Dialog, DialogForm, Wrong } from "../../parts/Dialog";
import { Icon } from "../../parts/icons";
import { Receipt } from "../../parts/Receipt";
import { Removal } from "../../parts/Removal";
import { Empty, Lines, Loaded } from "../../parts/states";
import { Verbatim } from "../../parts/Verbatim";
import { agents as words } from "../../texts/agents";
import { deleteWhiteboard, useCreateWhiteboard, useNotes, useShare, useWhiteboards, useWriteNote } from "./queries";

const told = words.whiteboards;

export function WhiteboardsTab({ agent, agents }: { agent: Agent; agents: Agent[] }) {
  const whiteboards = useWhiteboards();
  const [creating, { open, close }] = useDisclosure();
  const readOnly = useReadOnly();
  return (
    <Stack gap="md" component="section" aria-label={told.title}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <div>
          <Title order={2}>{told.title}</Title>
          <Text size="sm" c="dimmed">
            {told.about}
          </Text>
        </div>
        <Button size="xs" variant="default" flex="none" onClick={open} disabled={readOnly} leftSection={<Icon name="plus" size={14} />}>
          {told.create}
        </Button>
      </Group>
      <Loaded query={whiteboards} skeleton={<Lines count={2} height={180} />}>
        {(found) => {
          const own = found.filter((each) => each.agents.includes(agent.id));
          if (!own.length) return <Empty title={told.empty.title}>{told.empty.text}</Empty>;
          return (
            <>
              {own.map((each) => (
                <One key={each.id} whiteboard={each} agent={agent} agents={agents} />
              ))}
            </>
          );
        }}
      </Loaded>
      <Dialog opened={creating} onClose={close} title={told.create}>
        <CreateForm agent={agent} agents={agents} onClose={close} />
      </Dialog>
    </Stack>
  );
}

const named = (agents: Agent[]) => agents.map(({ id, name }) => ({ value: id, label: name }));

function One({ whiteboard, agent, agents }: { whiteboard: Whiteboard; agent: Agent; agents: Agent[] }) {
  const notes = useNotes(whiteboard.id);
  const share = useShare(whiteboard.id);
  const readOnly = useReadOnly();
  const again = useAgain(["whiteboards", "memories"]);
  const [deleting, remove] = useDisclosure();
  const choose = (chosen: string[]) => {
    const added = chosen.find((each) => !whiteboard.agents.includes(each));
    const taken = whiteboard.agents.find((each) => !chosen.includes(each));
    if (added) share.mutate({ agent: added, open: true });
    else if (taken) share.mutate({ agent: taken, open: false });
  };
  return (
    <Card withBorder component="section" aria-label={whiteboard.name}>
      <Group justify="space-between" wrap="nowrap" mb="xs">
        <Title order={3} fz="md" style={{ overflowWrap: "anywhere" }}>
          {whiteboard.name}
        </Title>
        <ActionIcon variant="subtle" color="gray" aria-label={told.remove(whiteboard.name)} onClick={remove.open} disabled={readOnly}>
          <Icon name="trash" size={16} />
        </ActionIcon>
      </Group>
      <MultiSelect label={told.share} data={named(agents)} value={whiteboard.agents} onChange={choose} disabled={readOnly} mb="sm" searchable />
      <Wrong error={share.error} />
      <Loaded query={notes} skeleton={<Lines count={2} height={48} />}>
        {(found) => (
          <Stack gap="xs" mb="sm">
            {found.length ? null : (
              <Text size="sm" c="dimmed">
                {told.noNotes}
              </Text>
            )}
            {found.map((note) => (
              <Card key={note.id} withBorder padding="xs">
                <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                  {told.by(String(note.metadata?.agent ?? ""))} · <Ago at={note.created_at} />
                </Text>
                <Text size="sm" component="div">
                  <Verbatim text={note.content} most={1200} />
                </Text>
              </Card>
            ))}
          </Stack>
        )}
      </Loaded>
      <NoteForm whiteboard={whiteboard} agent={agent} />
      <Removal
        opened={deleting}
        onClose={remove.close}
        title={told.removeTitle}
        about={told.removeAbout(whiteboard.name)}
        action={told.removeAction}
        withReason={false}
        remove={() => deleteWhiteboard(whiteboard.id)}
        onDone={() => void again()}
      />
    </Card>
  );
}

function NoteForm({ whiteboard, agent }: { whiteboard: Whiteboard; agent: Agent }) {
  const [content, setContent] = useState("");
  const write = useWriteNote(whiteboard.id, agent.id);
  const readOnly = useReadOnly();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write.mutate(content, { onSuccess: () => setContent("") });
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs">
        <Textarea flex={1} miw={200} label={told.note(agent.name)} value={content} onChange={(event) => setContent(event.currentTarget.value)} rows={1} disabled={readOnly} />
        <Button type="submit" variant="default" loading={write.isPending} disabled={readOnly || !content.trim()}>
          {told.write}
        </Button>
      </Group>
      <Wrong error={write.error} />
      <Receipt receipt={write.data} />
    </form>
  );
}

function CreateForm({ agent, agents, onClose }: { agent: Agent; agents: Agent[]; onClose: () => void }) {
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState([agent.id]);
  const create = useCreateWhiteboard();
  const submit = () => create.mutate({ name, agents: chosen }, { onSuccess: onClose });
  return (
    <DialogForm action={told.createAction} change={create} onSubmit={submit} onCancel={onClose} disabled={!name.trim()}>
      <TextInput label={told.name} value={name} onChange={(event) => setName(event.currentTarget.value)} data-autofocus autoComplete="off" />
      <MultiSelect label={told.agents} data={named(agents)} value={chosen} onChange={setChosen} searchable />
    </DialogForm>
  );
}
