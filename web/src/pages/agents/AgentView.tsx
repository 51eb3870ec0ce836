/** One agent: who it is, whether it uses memory, and by tabs what it remembers. */
import { ActionIcon, Card, Group, Menu, Stack, Switch, Tabs, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useLocation } from "wouter";

import { useReadOnly } from "../../api/rights";
import type { Agent } from "../../api/schema";
import { Ago } from "../../parts/Ago";
import { Dialog, DialogForm, Wrong } from "../../parts/Dialog";
import { Facts } from "../../parts/Facts";
import { Icon } from "../../parts/icons";
import { Lines, Loaded } from "../../parts/states";
import { Verbatim } from "../../parts/Verbatim";
import { agents as words } from "../../texts/agents";
import { AgentFields } from "./AgentFields";
import { JournalTab } from "./JournalTab";
import { MemoryTab } from "./MemoryTab";
import { ProposalsTab } from "./ProposalsTab";
import { useAgent, useChangeAgent, useDeleteAgent } from "./queries";
import { WhiteboardsTab } from "./WhiteboardsTab";

const tabs = ["memory", "journal", "whiteboards", "proposals"] as const;
type Tab = (typeof tabs)[number];

export function AgentView({ id, tab, agents }: { id: string; tab: string | undefined; agents: Agent[] }) {
  const agent = useAgent(id);
  const [, go] = useLocation();
  const shown: Tab = tabs.find((each) => each === tab) ?? "memory";
  return (
    <Loaded query={agent} skeleton={<Lines count={4} height={110} />}>
      {(found) => (
        <Stack gap="md">
          <Head agent={found} onDeleted={() => go("/")} />
          <Tabs value={shown} onChange={(next) => go(`/${id}/${next}`)} keepMounted={false}>
            <Tabs.List mb="md">
              {tabs.map((each) => (
                <Tabs.Tab key={each} value={each}>
                  {words.tabs[each]}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            <Tabs.Panel value="memory">
              <MemoryTab agent={found} agents={agents} />
            </Tabs.Panel>
            <Tabs.Panel value="journal">
              <JournalTab agent={found} />
            </Tabs.Panel>
            <Tabs.Panel value="whiteboards">
              <WhiteboardsTab agent={found} agents={agents} />
            </Tabs.Panel>
            <Tabs.Panel value="proposals">
              <ProposalsTab agent={found} />
            </Tabs.Panel>
          </Tabs>
        </Stack>
      )}
    </Loaded>
  );
}

function Head({ agent, onDeleted }: { agent: Agent; onDeleted: () => void }) {
  const change = useChangeAgent(agent.id);
  const readOnly = useReadOnly();
  const [editing, edit] = useDisclosure();
  const [deleting, remove] = useDisclosure();
  return (
    <Card withBorder component="section" aria-label={agent.name}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" mb="xs">
        <Title order={2} style={{ overflowWrap: "anywhere" }}>
          {agent.name}
        </Title>
        <Menu position="bottom-end" width={160}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={words.head.more} disabled={readOnly}>
              <Icon name="dots" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={edit.open}>
              {words.form.edit}
            </Menu.Item>
            <Menu.Item c="var(--mantine-color-error)" leftSection={<Icon name="trash" size={16} />} onClick={remove.open}>
              {words.head.remove}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      {agent.system_prompt ? (
        <Text size="sm" component="div" mb="sm">
          <Verbatim text={agent.system_prompt} most={400} />
        </Text>
      ) : null}
      <Group justify="space-between" gap="md">
        <Facts
          of={[
            [words.head.created, <Ago at={agent.created_at} />],
            [words.head.id, agent.id],
          ]}
        />
        <Switch
          label={words.head.memory}
          description={words.head.memoryAbout}
          checked={!agent.memory_disabled}
          disabled={readOnly}
          onChange={(event) => change.mutate({ memory_disabled: !event.currentTarget.checked })}
        />
      </Group>
      <Wrong error={change.error} />
      <Dialog opened={editing} onClose={edit.close} title={words.form.editTitle}>
        <EditForm agent={agent} onClose={edit.close} />
      </Dialog>
      <Dialog opened={deleting} onClose={remove.close} title={words.head.removeTitle}>
        <DeleteForm agent={agent} onClose={remove.close} onDeleted={onDeleted} />
      </Dialog>
    </Card>
  );
}

function EditForm({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const [name, setName] = useState(agent.name);
  const [prompt, setPrompt] = useState(agent.system_prompt ?? "");
  const change = useChangeAgent(agent.id);
  const submit = () => change.mutate({ name, system_prompt: prompt }, { onSuccess: onClose });
  return (
    <DialogForm action={words.form.save} change={change} onSubmit={submit} onCancel={onClose} disabled={!name.trim()}>
      <AgentFields name={name} prompt={prompt} onName={setName} onPrompt={setPrompt} />
    </DialogForm>
  );
}

function DeleteForm({ agent, onClose, onDeleted }: { agent: Agent; onClose: () => void; onDeleted: () => void }) {
  const remove = useDeleteAgent();
  const submit = () => remove.mutate(agent.id, { onSuccess: onDeleted });
  return (
    <DialogForm action={words.head.remove} destroys change={remove} onSubmit={submit} onCancel={onClose}>
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {words.head.removeAbout(agent.name)}
      </Text>
    </DialogForm>
  );
}
