/** A panel at the side with all there is of a memory: its fields, what it said before, its access log; editing,
 * redacting and deleting it. */
import { Button, Drawer, Group, Stack, Text, Textarea, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState, type ReactNode } from "react";

import { useAgents } from "../../api/agents";
import { useAgain } from "../../api/change";
import { useReadOnly } from "../../api/rights";
import type { Entry, Version } from "../../api/schema";
import { Accesses, ToRun } from "../../parts/Accesses";
import { Ago } from "../../parts/Ago";
import { DialogForm } from "../../parts/Dialog";
import { Facts } from "../../parts/Facts";
import { Icon } from "../../parts/icons";
import { Removal } from "../../parts/Removal";
import { Lines, Loaded } from "../../parts/states";
import { Verbatim } from "../../parts/Verbatim";
import { agents as words } from "../../texts/agents";
import { shared } from "../../texts/shared";
import { forget, redact, useEdit, useMemory, useProfiles, useWhiteboards } from "./queries";

const told = words.memory;

export function MemoryDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  return (
    <Drawer opened={id !== null} onClose={onClose} position="right" size="lg" title={told.title} closeButtonProps={{ "aria-label": shared.close }}>
      {id ? <Inside id={id} onClose={onClose} /> : null}
    </Drawer>
  );
}

function Inside({ id, onClose }: { id: string; onClose: () => void }) {
  const memory = useMemory(id);
  return (
    <Loaded query={memory} skeleton={<Lines count={4} height={90} />}>
      {({ memory: found, accesses, versions }) => (
        <Stack gap="lg">
          <Content memory={found} onGone={onClose} />
          <Part title={told.fields}>
            <Fields memory={found} />
          </Part>
          <History versions={versions} />
          <Part title={shared.accesses.title} about={told.accessesAbout}>
            <Accesses of={accesses} />
          </Part>
        </Stack>
      )}
    </Loaded>
  );
}

function Part({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={3} fz="sm" mb={4}>
        {title}
      </Title>
      {about ? (
        <Text size="xs" c="dimmed" mb="xs">
          {about}
        </Text>
      ) : null}
      {children}
    </section>
  );
}

function Content({ memory, onGone }: { memory: Entry; onGone: () => void }) {
  const [editing, edit] = useDisclosure();
  const [redacting, redaction] = useDisclosure();
  const [forgetting, forgetful] = useDisclosure();
  const readOnly = useReadOnly();
  const again = useAgain(["memories", "journal", "proposals", "whiteboards"]);
  if (editing) return <EditForm memory={memory} onClose={edit.close} />;
  return (
    <section aria-label={told.content}>
      <Text component="div" mb="md">
        <Verbatim text={memory.content} />
      </Text>
      <Group gap="xs">
        {memory.is_redacted ? null : (
          <>
            <Button size="xs" variant="default" onClick={edit.open} disabled={readOnly} leftSection={<Icon name="edit" size={14} />}>
              {told.edit}
            </Button>
            <Button size="xs" variant="default" c="var(--mantine-color-error)" onClick={redaction.open} disabled={readOnly}>
              {told.redact}
            </Button>
          </>
        )}
        <Button size="xs" variant="default" c="var(--mantine-color-error)" onClick={forgetful.open} disabled={readOnly} leftSection={<Icon name="trash" size={14} />}>
          {told.forget}
        </Button>
      </Group>
      <Removal
        opened={redacting}
        onClose={redaction.close}
        title={told.redactTitle}
        about={told.redactAbout}
        action={told.redact}
        remove={(reason) => redact(memory.id, reason)}
        onDone={() => void again()}
      />
      <Removal
        opened={forgetting}
        onClose={forgetful.close}
        title={told.forgetTitle}
        about={told.forgetAbout}
        action={told.forget}
        remove={(reason) => forget(memory.id, reason)}
        onDone={() => {
          onGone();
          void again();
        }}
      />
    </section>
  );
}

function EditForm({ memory, onClose }: { memory: Entry; onClose: () => void }) {
  const [content, setContent] = useState(memory.content);
  const edit = useEdit(memory.id);
  const submit = () => edit.mutate(content, { onSuccess: onClose });
  return (
    <DialogForm action={told.save} change={edit} onSubmit={submit} onCancel={onClose} disabled={!content.trim()}>
      <Textarea label={told.content} value={content} onChange={(event) => setContent(event.currentTarget.value)} rows={8} autoFocus />
    </DialogForm>
  );
}

function Fields({ memory }: { memory: Entry }) {
  const agents = useAgents();
  const whiteboards = useWhiteboards();
  const profiles = useProfiles(memory.agent_id ?? "", memory.agent_id != null);
  const names = told.names;
  const named = (id: string | null | undefined, among: { id: string; name: string }[] | undefined) =>
    id ? (among?.find((each) => each.id === id)?.name ?? id) : null;
  const of: [string, ReactNode][] = [
    [names.kind, words.kinds[memory.kind]],
    [names.scope, memory.scope && words.scopes[memory.scope]],
    [names.source, memory.source && (words.sources[memory.source] ?? memory.source)],
    [names.confidence, memory.confidence?.toFixed(2)],
    [names.importance, memory.importance],
    [names.retention, memory.retention?.replace("_", " ")],
    [names.agent, named(memory.agent_id, agents.data)],
    [names.profile, named(memory.profile_id, profiles.data)],
    [names.whiteboard, named(memory.whiteboard_id, whiteboards.data)],
    [names.conversation, memory.conversation_id],
    [names.project, memory.project_id],
    [names.run, memory.run_id ? <ToRun id={memory.run_id} said={memory.run_id} /> : null],
    [names.tags, memory.tags?.join(", ") || null],
    [names.created, <Ago at={memory.created_at} />],
    [names.updated, memory.updated_at ? <Ago at={memory.updated_at} /> : null],
    [names.expires, memory.expires_at ? <Ago at={memory.expires_at} /> : told.never],
    [names.redacted, memory.is_redacted ? told.yes : null],
    [names.id, memory.id],
  ];
  const metadata = Object.keys(memory.metadata ?? {}).length ? JSON.stringify(memory.metadata, null, 1) : null;
  return (
    <>
      <Facts of={of.filter(([, value]) => value != null && value !== "")} />
      {metadata ? (
        <>
          <Text size="xs" c="dimmed" mt="sm">
            {told.metadata}
          </Text>
          <Verbatim text={metadata} mono most={1500} />
        </>
      ) : null}
    </>
  );
}

function History({ versions }: { versions: Version[] }) {
  const earlier = versions.filter(({ valid_to }) => valid_to != null).reverse();
  if (!earlier.length) return null;
  return (
    <Part title={told.history}>
      <Stack gap="xs">
        {earlier.map((each) => (
          <div key={each.version}>
            <Text size="xs" c="dimmed">
              <Ago at={each.valid_from} /> {each.actor ? `· ${each.actor}` : ""}
            </Text>
            <Text size="sm" component="div">
              <Verbatim text={each.content} most={600} />
            </Text>
          </div>
        ))}
      </Stack>
    </Part>
  );
}
