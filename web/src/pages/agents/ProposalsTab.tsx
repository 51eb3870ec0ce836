/** The tab Proposals: what of the journal is proposed for core; accepting, rejecting, and taking an acceptance back. */
import { Badge, Button, Card, Group, Stack, Text, Title } from "@mantine/core";

import { useReadOnly } from "../../api/rights";
import type { Agent, Proposal } from "../../api/schema";
import { Ago } from "../../parts/Ago";
import { Wrong } from "../../parts/Dialog";
import { Empty, Lines, Loaded } from "../../parts/states";
import { Verbatim } from "../../parts/Verbatim";
import { agents as words } from "../../texts/agents";
import { useDecide, useProposals, usePropose, type Decision } from "./queries";

const told = words.proposals;
type Status = Proposal["status"] & string;
const colors: Record<Status, string> = { proposed: "blue.8", accepted: "moss.8", rejected: "gray.7", undone: "gray.7" };
const decisions: Record<Status, Decision[]> = { proposed: ["accept", "reject"], accepted: ["undo"], rejected: [], undone: [] };

export function ProposalsTab({ agent }: { agent: Agent }) {
  const proposals = useProposals(agent.id);
  const propose = usePropose(agent.id);
  const readOnly = useReadOnly();
  return (
    <Card withBorder component="section" aria-label={told.title}>
      <Group justify="space-between" align="flex-start" mb="sm">
        <div>
          <Title order={2}>{told.title}</Title>
          <Text size="sm" c="dimmed">
            {told.about}
          </Text>
        </div>
        <Group gap="sm">
          <Button size="xs" variant="default" onClick={() => propose.mutate()} loading={propose.isPending} disabled={readOnly}>
            {told.look}
          </Button>
          <Text size="xs" c="dimmed" role="status" mih={18}>
            {propose.data ? told.found(propose.data.length) : ""}
          </Text>
        </Group>
      </Group>
      <Wrong error={propose.error} />
      <Loaded query={proposals} skeleton={<Lines count={3} height={96} />}>
        {(found) =>
          found.length ? (
            <Stack gap="sm">
              {found.map((each) => (
                <One key={each.id} proposal={each} />
              ))}
            </Stack>
          ) : (
            <Empty title={told.empty.title}>{told.empty.text}</Empty>
          )
        }
      </Loaded>
    </Card>
  );
}

function One({ proposal }: { proposal: Proposal }) {
  const decide = useDecide();
  const readOnly = useReadOnly();
  const status = proposal.status ?? "proposed";
  return (
    <Card withBorder padding="sm" role="group" aria-label={proposal.content.slice(0, 80)}>
      <Group gap="xs" mb={4}>
        <Badge size="sm" color={colors[status]}>
          {told.status[status]}
        </Badge>
        <Text size="xs" c="dimmed">
          {proposal.reason} · {told.from(proposal.memory_ids.length)} · <Ago at={proposal.decided_at ?? proposal.created_at} />
        </Text>
      </Group>
      <Text size="sm" component="div">
        <Verbatim text={proposal.content} most={1200} />
      </Text>
      <Wrong error={decide.error} />
      {decisions[status].length ? (
        <Group gap="xs" mt="sm">
          {decisions[status].map((decision) => (
            <Button
              key={decision}
              size="xs"
              variant={decision === "accept" ? "filled" : "default"}
              onClick={() => decide.mutate({ proposal, decision })}
              loading={decide.isPending}
              disabled={readOnly}
            >
              {told[decision]}
            </Button>
          ))}
        </Group>
      ) : null}
    </Card>
  );
}
