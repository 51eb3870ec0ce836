/** Agents: the list, and beside it what the chosen one remembers. */
import { Badge, Box, Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { Route, Switch, useLocation, useRoute } from "wouter";

import { useAgents } from "../../api/agents";
import type { Agent } from "../../api/schema";
import { useReadOnly } from "../../api/rights";
import { Ago } from "../../parts/Ago";
import { Dialog, DialogForm } from "../../parts/Dialog";
import { Icon } from "../../parts/icons";
import { ListLink } from "../../parts/ListLink";
import { Page } from "../../parts/Page";
import { Empty, Lines, Loaded } from "../../parts/states";
import { Split } from "../../parts/Split";
import { agents as words } from "../../texts/agents";
import { AgentFields } from "./AgentFields";
import { AgentView } from "./AgentView";
import { useCreateAgent } from "./queries";

export default function AgentsPage() {
  const agents = useAgents();
  const [, chosen] = useRoute("/:agent/*?");
  const [creating, { open, close }] = useDisclosure();
  const [, go] = useLocation();
  const readOnly = useReadOnly();
  const create = (
    <Button onClick={open} disabled={readOnly} leftSection={<Icon name="plus" size={16} />}>
      {words.create}
    </Button>
  );
  return (
    <Page title={words.title} about={words.about} actions={create}>
      <Loaded query={agents} skeleton={<Lines count={6} height={52} />}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon="agent" title={words.empty.title}>
              {words.empty.text}
            </Empty>
          ) : (
            <Split label={words.list} detail={chosen?.agent} list={<List agents={found} chosen={chosen?.agent} />}>
              <Switch>
                <Route path="/:agent/:tab?">{({ agent, tab }) => <AgentView key={agent} id={agent} tab={tab} agents={found} />}</Route>
                <Route>
                  <Empty icon="agent" title={words.choose.title}>
                    {words.choose.text}
                  </Empty>
                </Route>
              </Switch>
            </Split>
          )
        }
      </Loaded>
      <Dialog opened={creating} onClose={close} title={words.create}>
        <CreateForm onClose={close} onCreated={(id) => go(`/${id}`)} />
      </Dialog>
    </Page>
  );
}

function List({ agents, chosen }: { agents: Agent[]; chosen: string | undefined }) {
  return (
    <Box>
      {agents.map((agent) => (
        <ListLink
          key={agent.id}
          href={`/${agent.id}`}
          name={agent.name}
          chosen={agent.id === chosen}
          mark={
            agent.memory_disabled ? (
              <Badge size="sm" color="gray.7" style={{ flexShrink: 0 }}>
                {words.off}
              </Badge>
            ) : null
          }
          about={
            <>
              {words.created} <Ago at={agent.created_at} />
            </>
          }
        />
      ))}
    </Box>
  );
}

function CreateForm({ onClose, onCreated }: { onClose: () => void; onCreated: (id: string) => void }) {
  const [name, setName] = useState("");
  const [prompt, setPrompt] = useState("");
  const create = useCreateAgent();
  const submit = () =>
    create.mutate(
      { name, system_prompt: prompt.trim() || null },
      {
        onSuccess: (agent) => {
          onClose();
          onCreated(agent.id);
        },
      },
    );
  return (
    <DialogForm action={words.form.create} change={create} onSubmit={submit} onCancel={onClose} disabled={!name.trim()}>
      <AgentFields name={name} prompt={prompt} onName={setName} onPrompt={setPrompt} />
    </DialogForm>
  );
}
