/** Work that an import began: how far it is, and what came of it. */
import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "wouter";

import type { ImportReport, LoadReceipt, Operation } from "../../api/schema";
import { Bar } from "../../parts/Advance";
import { toPage } from "../../parts/links";
import { hasEnded } from "../../parts/operations";
import { Part } from "../../parts/Part";
import { Prose } from "../../parts/Prose";
import { importing as words } from "../../texts/importing";
import { Problems } from "./Problems";
import { useStop } from "./queries";

interface Props {
  of: Operation;
  /** Whether an archive was loaded as one's own; nothing where that was said in an earlier visit. */
  trusted: boolean | undefined;
  again: () => void;
}

export function Work({ of: operation, trusted, again }: Props) {
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
          <Bar of={operation} label={words.progress.title} />
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
          <div>{operation.state === "failed" ? <Prose>{operation.problem ?? ""}</Prose> : words.cancelled}</div>
          {more}
        </Stack>
      </Alert>
    );
  }
  const problems = operation.kind === "import" ? ((operation.result as ImportReport).problems ?? []) : [];
  return (
    <Part title={words.done.title}>
      <Stack mt="sm">
        <Text role="status">{outcome(operation)}</Text>
        {operation.kind === "load" ? <LeftOut of={operation.result as LoadReceipt} trusted={trusted} /> : null}
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
function LeftOut({ of: { left_out: found }, trusted }: { of: LoadReceipt; trusted: boolean | undefined }) {
  const parts = Object.entries(found ?? {}).map(([name, rows]) => `${words.done.parts[name] ?? name} (${rows.toLocaleString("en")})`);
  if (!parts.length) return null;
  const said = trusted === undefined ? words.done.left : trusted ? words.done.stays : words.done.leftOut;
  return <Text size="sm">{said(parts)}</Text>;
}

/** What came of it, in a sentence. */
export function outcome({ kind, result }: Operation): string {
  if (kind === "load") {
    const { status, rows } = result as LoadReceipt;
    return status === "duplicate" ? words.done.loadedBefore : words.done.loaded(Object.values(rows).reduce((sum, count) => sum + count, 0));
  }
  const { conversations, stored, duplicates } = result as ImportReport;
  return words.done.counts(conversations, stored, duplicates ?? 0);
}
