/** Bringing conversations along: files are sent and read, what was recognised is shown, and only then anything is kept. */
import { Alert, Button, Checkbox, Group, Progress, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";

import type { Operation, UploadSurvey, Upload } from "../../api/schema";
import { useReadOnly } from "../../api/rights";
import { onDay } from "../../parts/Ago";
import { hasEnded, useOperation } from "../../parts/operations";
import { Page } from "../../parts/Page";
import { Part } from "../../parts/Part";
import { Prose } from "../../parts/Prose";
import { importing as words } from "../../texts/importing";
import { DropZone } from "./DropZone";
import { Earlier } from "./Earlier";
import { Problems } from "./Problems";
import { useBegin, useDiscard, useSend, type Dropped } from "./queries";
import { Work } from "./Work";

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
  const [earlier, setEarlier] = useState<Operation | null>(null);
  const begun = begin.data ?? earlier;
  const work = useOperation(begun?.id);
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
    setEarlier(null);
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
              <Prose>{error.message}</Prose>
              <Button size="xs" variant="default" onClick={again}>
                {words.cancel}
              </Button>
            </Stack>
          </Alert>
        ) : null}
        {send.isIdle && !begun ? (
          <>
            <DropZone take={take} disabled={readOnly} />
            <Earlier choose={setEarlier} />
          </>
        ) : null}
        {send.isPending && sending ? (
          <Part title={words.sending(sending.name)}>
            <Progress value={sending.total ? (100 * sending.done) / sending.total : 0} animated aria-label={words.sending(sending.name)} mt="sm" />
          </Part>
        ) : null}
        {send.isSuccess && !begun && !error ? (
          surveyed && hasEnded(surveyed) ? (
            <Recognised of={surveyed} archive={isZip(send.data.upload)} begin={(kind, trusted = false) => begin.mutate({ upload: send.data.upload.id, kind, trusted })} busy={begin.isPending} again={again} />
          ) : (
            <Part title={words.reading}>
              <Progress value={100} animated aria-label={words.reading} mt="sm" />
            </Part>
          )
        ) : null}
        {begun && !error ? <Work of={work.data ?? begun} trusted={begin.variables?.trusted} again={again} /> : null}
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
  const found = operation.result as UploadSurvey | null;
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
