/** Bringing conversations along: files are sent and read, what was recognised is shown, and only then anything is kept. */
import { Alert, Button, Checkbox, Group, Progress, Stack, Table, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "wouter";

import type { Imported, Loaded as LoadedArchive, Operation, Surveyed, Upload } from "../../api/schema";
import { useReadOnly } from "../../api/rights";
import { onDay } from "../../parts/Ago";
import { toPage } from "../../parts/links";
import { hasEnded, useOperation } from "../../parts/operations";
import { Page } from "../../parts/Page";
import { Part } from "../../parts/Part";
import { importing as words } from "../../texts/importing";
import { DropZone } from "./DropZone";
import { Problems } from "./Problems";
import { useBegin, useDiscard, useSend, useStop, type Dropped } from "./queries";

interface Sending {
  name: string;
  done: number;
  total: number;
}

export default function ImportPage() {
  const [sending, setSending] = useState<Sending | null>(null);
  const send = useSend((name, done) => setSending((now) => ({ total: now?.total ?? 0, name, done })));
  const begin = useBegin();
  const discard = useDiscard();
  const survey = useOperation(send.data?.operation.id);
  const work = useOperation(begin.data?.id);
  const readOnly = useReadOnly();
  const take = (files: Dropped[]) => {
    if (!files.length) return;
    setSending({ name: files[0]!.name, done: 0, total: files.reduce((sum, { file }) => sum + file.size, 0) });
    send.mutate(files);
  };
  const again = () => {
    if (send.data && !begin.data) discard.mutate(send.data.upload.id);
    send.reset();
    begin.reset();
  };
  const error = send.error ?? begin.error ?? survey.error ?? work.error;
  const surveyed = survey.data;
  return (
    <Page title={words.title} about={words.about}>
      <Stack maw={860}>
        {readOnly ? (
          <Alert color="yellow" variant="light">
            {words.readOnly}
          </Alert>
        ) : null}
        {error ? (
          <Alert color="red" variant="light" role="alert">
            <Stack gap="xs" align="flex-start">
              {error.message}
              <Button size="xs" variant="default" onClick={again}>
                {words.cancel}
              </Button>
            </Stack>
          </Alert>
        ) : null}
        {send.isIdle ? <DropZone take={take} disabled={readOnly} /> : null}
        {send.isPending && sending ? (
          <Part title={words.sending(sending.name)}>
            <Progress value={sending.total ? (100 * sending.done) / sending.total : 0} animated aria-label={words.sending(sending.name)} mt="sm" />
          </Part>
        ) : null}
        {send.isSuccess && !begin.data && !error ? (
          surveyed && hasEnded(surveyed) ? (
            <Recognised of={surveyed} archive={isZip(send.data.upload)} begin={(kind, trusted = false) => begin.mutate({ upload: send.data.upload.id, kind, trusted })} busy={begin.isPending} again={again} />
          ) : (
            <Part title={words.reading}>
              <Progress value={100} animated aria-label={words.reading} mt="sm" />
            </Part>
          )
        ) : null}
        {begin.data && !error ? <Work of={work.data ?? begin.data} trusted={begin.variables.trusted} again={again} /> : null}
      </Stack>
    </Page>
  );
}

/** Whether it may be an archive that Settings wrote. */
function isZip({ files }: Upload): boolean {
  return files?.length === 1 && files[0]!.name.toLowerCase().endsWith(".zip");
}

interface Choice {
  of: Operation;
  archive: boolean;
  begin: (kind: "import" | "load", trusted?: boolean) => void;
  busy: boolean;
  again: () => void;
}

function Recognised({ of: operation, archive, begin, busy, again }: Choice) {
  const found = operation.result as Surveyed | null;
  const [own, setOwn] = useState(false);
  const back = (
    <Button variant="default" onClick={again}>
      {words.cancel}
    </Button>
  );
  const load = archive ? (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">{words.archive.about}</Text>
      <Checkbox label={words.archive.own} checked={own} onChange={(event) => setOwn(event.currentTarget.checked)} />
      <Button onClick={() => begin("load", own)} loading={busy}>
        {words.archive.begin}
      </Button>
    </Stack>
  ) : null;
  if (!found?.turns) {
    return (
      <Part title={words.survey.nothing} about={operation.problem ?? undefined}>
        <Stack>
          {load}
          <Problems of={found?.problems ?? []} count={found?.problem_count ?? 0} />
          <Group>{back}</Group>
        </Stack>
      </Part>
    );
  }
  const columns = words.survey.columns;
  return (
    <Part title={words.survey.title}>
      <Stack mt="sm">
            <Table maw={560}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{columns.format}</Table.Th>
                  {[columns.files, columns.conversations, columns.turns].map((column) => (
                    <Table.Th key={column} className="number">
                      {column}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {found.formats.map((each) => (
                  <Table.Tr key={each.format}>
                    <Table.Td>{each.format}</Table.Td>
                    {[each.files, each.conversations, each.turns].map((count, column) => (
                      <Table.Td key={column} className="number">
                        {count.toLocaleString("en")}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            <Text size="sm" c="dimmed">
              {[words.survey.characters(found.characters), found.first && found.last ? words.survey.between(onDay(new Date(found.first)), onDay(new Date(found.last))) : null]
                .filter(Boolean)
                .join(" · ")}
            </Text>
            <Text size="sm">{words.survey.takes(found.seconds)}</Text>
        <Problems of={found.problems ?? []} count={found.problem_count ?? found.problems?.length ?? 0} />
        <Group>
          <Button onClick={() => begin("import")} loading={busy}>
            {words.begin}
          </Button>
          {back}
        </Group>
      </Stack>
    </Part>
  );
}

function Work({ of: operation, trusted, again }: { of: Operation; trusted: boolean; again: () => void }) {
  const stop = useStop();
  const client = useQueryClient();
  const ended = hasEnded(operation);
  useEffect(() => {
    if (ended) void client.invalidateQueries({ queryKey: ["palace"] });
  }, [ended, client]);
  const more = (
    <Button variant="default" onClick={again}>
      {words.done.more}
    </Button>
  );
  if (!ended) {
    return (
      <Part title={words.progress.title} about={words.progress.leave}>
        <Stack>
          <Progress
            value={operation.total ? (100 * (operation.done ?? 0)) / operation.total : 100}
            animated
            aria-label={words.progress.title}
          />
          <Text size="sm" role="status">
            {words.progress.count(operation)}
          </Text>
          <Group>
            <Button variant="default" onClick={() => stop.mutate(operation.id)} loading={stop.isPending}>
              {words.stop}
            </Button>
          </Group>
        </Stack>
      </Part>
    );
  }
  if (operation.state !== "done") {
    return (
      <Alert color={operation.state === "failed" ? "red" : "yellow"} variant="light" role="alert">
        <Stack gap="xs" align="flex-start">
          {operation.state === "failed" ? operation.problem : words.cancelled}
          {more}
        </Stack>
      </Alert>
    );
  }
  const problems = operation.kind === "import" ? ((operation.result as Imported).problems ?? []) : [];
  return (
    <Part title={words.done.title}>
      <Stack mt="sm">
        <Text role="status">{outcome(operation)}</Text>
        {operation.kind === "load" ? <LeftOut of={operation.result as LoadedArchive} trusted={trusted} /> : null}
        <Problems of={problems} count={problems.length} />
        <Group>
          <Button component={Link} href={toPage("/memory")}>
            {words.done.look}
          </Button>
          {more}
        </Group>
      </Stack>
    </Part>
  );
}

/** What an archive said of its user's own choices, which did not come. */
function LeftOut({ of: { left_out: found }, trusted }: { of: LoadedArchive; trusted: boolean }) {
  const parts = Object.entries(found ?? {}).map(([name, rows]) => `${words.done.parts[name] ?? name} (${rows.toLocaleString("en")})`);
  if (!parts.length) return null;
  return <Text size="sm">{trusted ? words.done.stays(parts) : words.done.leftOut(parts)}</Text>;
}

/** What came of it, in a sentence. */
function outcome({ kind, result }: Operation): string {
  if (kind === "load") {
    const { status, rows } = result as LoadedArchive;
    return status === "duplicate" ? words.done.loadedBefore : words.done.loaded(Object.values(rows).reduce((sum, count) => sum + count, 0));
  }
  const { conversations, stored, duplicates } = result as Imported;
  return words.done.counts(conversations, stored, duplicates ?? 0);
}
