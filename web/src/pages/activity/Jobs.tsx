/** Background work that waits, runs, or was given up and can be tried again. */
import { Badge, Button, Card, Group, Stack, Table, Text } from "@mantine/core";

import type { Job } from "../../api/schema";
import { useReadOnly } from "../../api/rights";
import { Ago } from "../../parts/Ago";
import { Wrong } from "../../parts/Dialog";
import { Empty, Lines, Loaded } from "../../parts/states";
import { activity, taskName } from "../../texts/activity";
import { useJobs, useRetry } from "./queries";

const words = activity.jobs;
const COLOURS: Record<Job["state"], string> = { waiting: "gray.7", running: "moss.8", dead: "red.8" };

/** Whether a job waits for a later time, and not for its next try. */
function isScheduled(job: Job) {
  return job.state === "waiting" && job.attempts === 0 && job.due_at != null && new Date(job.due_at) > new Date();
}

export function Jobs() {
  const jobs = useJobs();
  const retry = useRetry();
  const readOnly = useReadOnly();
  return (
    <Stack>
      <Text c="dimmed" size="sm">
        {words.about}
      </Text>
      <Wrong error={retry.error} />
      <Loaded query={jobs} skeleton={<Lines count={4} />}>
        {(found) =>
          found.length ? (
            <>
              <Card withBorder padding={0} component="section" aria-label={activity.tabs.jobs}>
                <Table.ScrollContainer minWidth={280} type="native" tabIndex={0}>
                  <Table horizontalSpacing="md" verticalSpacing="xs">
                    <Table.Thead>
                      <Table.Tr>
                        <Table.Th>{words.columns.kind}</Table.Th>
                        <Table.Th>{words.columns.state}</Table.Th>
                        <Table.Th visibleFrom="sm">{words.columns.when}</Table.Th>
                        <Table.Th visibleFrom="sm" className="number">
                          {words.columns.attempts}
                        </Table.Th>
                        <Table.Td />
                      </Table.Tr>
                    </Table.Thead>
                    <Table.Tbody>
                      {found.map((job) => (
                        <Row key={job.id} of={job} retry={readOnly ? undefined : () => retry.mutate(job.id)} />
                      ))}
                    </Table.Tbody>
                  </Table>
                </Table.ScrollContainer>
              </Card>
              {found.filter(({ state }) => state === "dead").length > 1 ? (
                <Group>
                  <Button variant="default" onClick={() => retry.mutate(null)} loading={retry.isPending} disabled={readOnly}>
                    {words.retryAll}
                  </Button>
                </Group>
              ) : null}
            </>
          ) : (
            <Empty icon="check" title={words.none.title}>
              {words.none.text}
            </Empty>
          )
        }
      </Loaded>
    </Stack>
  );
}

function Row({ of: job, retry }: { of: Job; retry: (() => void) | undefined }) {
  const scheduled = isScheduled(job);
  const when = <Ago at={scheduled ? job.due_at : (job.failed_at ?? job.queued_at)} />;
  return (
    <Table.Tr>
      <Table.Td>
        {taskName(job.kind)}
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {when}
        </Text>
        {job.error ? (
          <Text size="xs" c="dimmed" lineClamp={3} style={{ overflowWrap: "anywhere" }}>
            {job.error}
          </Text>
        ) : null}
      </Table.Td>
      <Table.Td>
        <Badge miw="max-content" color={scheduled ? "gray.7" : COLOURS[job.state]}>
          {scheduled ? words.scheduled : words.states[job.state]}
        </Badge>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {when}
      </Table.Td>
      <Table.Td visibleFrom="sm" className="number">
        {job.attempts}
      </Table.Td>
      <Table.Td ta="right">
        {job.state === "dead" && retry ? (
          <Button size="compact-sm" variant="subtle" onClick={retry} aria-label={words.retryNamed(taskName(job.kind))}>
            {words.retry}
          </Button>
        ) : null}
      </Table.Td>
    </Table.Tr>
  );
}
