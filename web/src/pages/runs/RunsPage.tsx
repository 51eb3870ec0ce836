/** Runs of agents: the list, and beside it what the chosen one saw and wrote. */
import { Box, Button, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Route, Switch, useRoute } from "wouter";

import { useAgents } from "../../api/agents";
import type { Agent, Run } from "../../api/schema";
import { Ago } from "../../parts/Ago";
import { ListLink } from "../../parts/ListLink";
import { Page } from "../../parts/Page";
import { Empty, Lines, Loaded } from "../../parts/states";
import { Split } from "../../parts/Split";
import { runs as words } from "../../texts/runs";
import { useRuns } from "./queries";
import { RunView } from "./RunView";
import { Status } from "./Status";

const STEP = 50;

export default function RunsPage() {
  const [agent, setAgent] = useState<string | null>(null);
  const [limit, setLimit] = useState(STEP);
  const agents = useAgents();
  const runs = useRuns(agent, limit);
  const [, chosen] = useRoute("/:run");
  const names = new Map(agents.data?.map((each) => [each.id, each.name]));
  const filter = (
    <Select
      label={words.agent}
      placeholder={words.allAgents}
      data={(agents.data ?? []).map((each: Agent) => ({ value: each.id, label: each.name }))}
      value={agent}
      onChange={setAgent}
      clearable
      searchable
    />
  );
  return (
    <Page title={words.title} about={words.about}>
      <Loaded query={runs} skeleton={<Lines count={8} height={52} />}>
        {(found) =>
          found.length === 0 && agent === null ? (
            <Empty title={words.empty.title}>{words.empty.text}</Empty>
          ) : (
            <Split
              label={words.list}
              detail={chosen?.run}
              list={
                <Stack gap="sm">
                  {filter}
                  <List runs={found} names={names} chosen={chosen?.run} />
                  {found.length === limit && limit < 1000 ? (
                    <Button variant="default" onClick={() => setLimit(Math.min(1000, limit * 2))} loading={runs.isFetching}>
                      {words.older}
                    </Button>
                  ) : null}
                </Stack>
              }
            >
              <Switch>
                <Route path="/:run">{({ run }) => <RunView key={run} id={run} names={names} />}</Route>
                <Route>
                  <Empty icon="run" title={words.choose.title}>
                    {words.choose.text}
                  </Empty>
                </Route>
              </Switch>
            </Split>
          )
        }
      </Loaded>
    </Page>
  );
}

function List({ runs, names, chosen }: { runs: Run[]; names: Map<string, string>; chosen: string | undefined }) {
  if (!runs.length) return <Text c="dimmed">{words.empty.title}</Text>;
  return (
    <Box>
      {runs.map((run) => (
        <ListLink
          key={run.id}
          href={`/${run.id}`}
          name={names.get(run.agent_id) ?? words.gone}
          chosen={run.id === chosen}
          mark={<Status status={run.status} />}
          about={<Ago at={run.started_at} />}
        />
      ))}
    </Box>
  );
}
