/** What the user has chosen, the keys, and taking everything along or away. */
import { Alert, Box, Button, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { api, got, root } from "../../api/client";
import { useReadOnly } from "../../api/rights";
import { useMe } from "../../api/session";
import { Bar } from "../../parts/Advance";
import { hasEnded, useOperation } from "../../parts/operations";
import { Page } from "../../parts/Page";
import { Part } from "../../parts/Part";
import { Prose } from "../../parts/Prose";
import { Removal } from "../../parts/Removal";
import { Lines, Loaded } from "../../parts/states";
import { going } from "../../texts/progress";
import { settings as words } from "../../texts/settings";
import { Choices } from "./Choices";
import { Devices } from "./Devices";
import { Keys } from "./Keys";
import { useExport, useSettings } from "./queries";

export default function SettingsPage() {
  const settings = useSettings();
  const readOnly = useReadOnly();
  return (
    <Page title={words.title} about={words.about}>
      <Stack maw={760} gap="lg">
        {readOnly ? (
          <Alert color="yellow" variant="light">
            {words.readOnly}
          </Alert>
        ) : null}
        <Loaded query={settings} skeleton={<Lines count={3} height={220} gap={20} />}>
          {(now) => <Choices now={now} fixed={readOnly} />}
        </Loaded>
        <Devices />
        <Keys />
        <Export />
        <Deletion />
      </Stack>
    </Page>
  );
}

function Export() {
  const begin = useExport();
  const operation = useOperation(begin.data?.id);
  const readOnly = useReadOnly();
  const now = operation.data ?? begin.data;
  const failure = begin.error?.message ?? operation.error?.message ?? now?.problem;
  return (
    <Part title={words.export.title} about={words.export.about}>
      <Stack align="flex-start" gap="sm">
        {failure ? (
          <Alert color="red" variant="light">
            <Prose>{failure}</Prose>
          </Alert>
        ) : null}
        {now?.state === "done" ? (
          <>
            <Button component="a" href={`${root}/v1/operations/${now.id}/file`} download>
              {words.export.ready}
            </Button>
            <Text size="xs" c="dimmed">
              {words.export.readyAbout}
            </Text>
          </>
        ) : (
          <Button variant="default" onClick={() => begin.mutate()} loading={begin.isPending || (now !== undefined && !hasEnded(now))} disabled={readOnly}>
            {now ? words.export.again : words.export.begin}
          </Button>
        )}
        {now && !hasEnded(now) ? (
          <Box w="100%">
            <Bar of={now} label={words.export.working} />
            <Text size="sm" c="dimmed" role="status">
              {going(words.export.working, now)}
            </Text>
          </Box>
        ) : null}
      </Stack>
    </Part>
  );
}

function Deletion() {
  const [opened, setOpened] = useState(false);
  const client = useQueryClient();
  const me = useMe().data;
  return (
    <Part title={words.deletion.title} about={words.deletion.about}>
      <Button color="red.8" style={{ alignSelf: "flex-start" }} onClick={() => setOpened(true)} disabled={!me || me.read_only}>
        {words.deletion.action}
      </Button>
      <Removal
        opened={opened}
        onClose={() => setOpened(false)}
        title={words.deletion.title}
        about={words.deletion.about}
        action={words.deletion.action}
        word={me?.user}
        withReason={false}
        remove={() => got(api.DELETE("/v1/user", { params: { query: { name: me!.user } } }))}
        onDone={() => void client.resetQueries()}
      />
    </Part>
  );
}
