/** The tab Memory of an agent: its profiles, the entries in them, and whom its global entries are open to. */
import { Card, MultiSelect, Stack, Text, Title } from "@mantine/core";

import { useReadOnly } from "../../api/rights";
import type { Agent } from "../../api/schema";
import { Wrong } from "../../parts/Dialog";
import { Lines, Loaded } from "../../parts/states";
import { agents as words } from "../../texts/agents";
import { Entries } from "./Entries";
import { Profiles } from "./Profiles";
import { useGrant, useGrants, useProfiles } from "./queries";

export function MemoryTab({ agent, agents }: { agent: Agent; agents: Agent[] }) {
  const profiles = useProfiles(agent.id);
  return (
    <Loaded query={profiles} skeleton={<Lines count={3} height={140} />}>
      {(found) => (
        <Stack gap="md">
          <Profiles agent={agent} profiles={found} />
          <Entries agent={agent} profiles={found} />
          <Grants agent={agent} others={agents.filter(({ id }) => id !== agent.id)} />
        </Stack>
      )}
    </Loaded>
  );
}

function Grants({ agent, others }: { agent: Agent; others: Agent[] }) {
  const grants = useGrants();
  const grant = useGrant(agent.id);
  const readOnly = useReadOnly();
  if (!others.length) return null;
  const open = (grants.data ?? []).filter(({ from_agent }) => from_agent === agent.id).map(({ to_agent }) => to_agent);
  const choose = (chosen: string[]) => {
    const added = chosen.find((each) => !open.includes(each));
    const taken = open.find((each) => !chosen.includes(each));
    if (added) grant.mutate({ to: added, open: true });
    else if (taken) grant.mutate({ to: taken, open: false });
  };
  return (
    <Card withBorder component="section" aria-label={words.grants.title}>
      <Title order={2}>{words.grants.title}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {words.grants.about}
      </Text>
      <MultiSelect
        label={words.grants.label}
        placeholder={open.length ? undefined : words.grants.nobody}
        data={others.map(({ id, name }) => ({ value: id, label: name }))}
        value={open}
        onChange={choose}
        disabled={readOnly || !grants.data}
        searchable
      />
      <Wrong error={grant.error} />
    </Card>
  );
}
