/** The keys: those that there are, making one, which is shown once, and revoking. */
import { Alert, Badge, Button, Checkbox, Code, CopyButton, Group, Select, Stack, Table, Text, TextInput } from "@mantine/core";
import { useState } from "react";

import { useAgents } from "../../api/agents";
import { useKeys } from "../../api/keys";
import type { ApiKey } from "../../api/schema";
import { useMe } from "../../api/session";
import { Ago } from "../../parts/Ago";
import { Dialog, DialogForm } from "../../parts/Dialog";
import { Part } from "../../parts/Part";
import { Prose } from "../../parts/Prose";
import { Lines, Loaded } from "../../parts/states";
import { settings } from "../../texts/settings";
import { shared } from "../../texts/shared";
import { useCreateKey, useRevokeKey } from "./queries";

const words = settings.keys;
const DAY = 86_400_000;

export function Keys() {
  const keys = useKeys();
  const agents = useAgents();
  const [making, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const mayMake = useMe().data?.makes_keys ?? false;
  const names = new Map(agents.data?.map(({ id, name }) => [id, name]));
  return (
    <Part title={words.title} about={words.about}>
      <Loaded query={keys} skeleton={<Lines count={2} />}>
        {(found) =>
          found.length ? (
            <Table.ScrollContainer minWidth={280} type="native" tabIndex={0}>
              <Table verticalSpacing="xs">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{words.columns.name}</Table.Th>
                    <Table.Th>{words.columns.reach}</Table.Th>
                    <Table.Th visibleFrom="sm">{words.columns.used}</Table.Th>
                    <Table.Th visibleFrom="sm">{words.columns.until}</Table.Th>
                    <Table.Td />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {found.map((key) => (
                    <Row key={key.id} of={key} agent={key.agent_id ? names.get(key.agent_id) : undefined} revoke={mayMake ? () => setRevoking(key) : undefined} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          ) : (
            <Text size="sm" c="dimmed">
              {words.none}
            </Text>
          )
        }
      </Loaded>
      <Group mt="md">
        <Button variant="default" onClick={() => setMaking(true)} disabled={!mayMake}>
          {words.create}
        </Button>
        {mayMake ? null : (
          <Text size="xs" c="dimmed" flex={1}>
            <Prose>{words.notHere}</Prose>
          </Text>
        )}
      </Group>
      {making ? <NewKey agents={[...names]} close={() => setMaking(false)} /> : null}
      {revoking ? <Revocation of={revoking} close={() => setRevoking(null)} /> : null}
    </Part>
  );
}

function Row({ of: key, agent, revoke }: { of: ApiKey; agent: string | undefined; revoke: (() => void) | undefined }) {
  const expired = key.expires_at ? new Date(key.expires_at) < new Date() : false;
  const over = key.revoked_at ? words.revoked : expired ? words.expired : null;
  const until = over ? <Badge color="gray.7" miw="max-content">{over}</Badge> : key.expires_at ? <Ago at={key.expires_at} as="day" /> : words.never;
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: "anywhere" }}>
        {key.name}
        <Text size="xs" c="dimmed" component="div" hiddenFrom="sm" style={{ whiteSpace: "nowrap" }}>
          {over ? null : `${words.until} `}
          {until}
        </Text>
      </Table.Td>
      <Table.Td>
        {key.agent_id ? words.agent(agent ?? key.agent_id) : words.everything}
        {key.read_only ? ` · ${words.readOnly.toLowerCase()}` : ""}
      </Table.Td>
      <Table.Td visibleFrom="sm">{key.last_used_at ? <Ago at={key.last_used_at} /> : words.never}</Table.Td>
      <Table.Td visibleFrom="sm">{until}</Table.Td>
      <Table.Td ta="right">
        {revoke && !over ? (
          <Button variant="default" size="compact-sm" onClick={revoke} aria-label={words.revokeNamed(key.name)}>
            {words.revoke}
          </Button>
        ) : null}
      </Table.Td>
    </Table.Tr>
  );
}

function NewKey({ agents, close }: { agents: [string, string][]; close: () => void }) {
  const [name, setName] = useState("");
  const [agent, setAgent] = useState<string | null>(null);
  const [readOnly, setReadOnly] = useState(false);
  const [days, setDays] = useState("90");
  const create = useCreateKey();
  const submit = () => {
    const expires_at = days === "never" ? null : new Date(Date.now() + Number(days) * DAY).toISOString();
    create.mutate({ name: name.trim(), agent, read_only: readOnly, expires_at });
  };
  return (
    <Dialog opened onClose={close} title={words.create} keep={create.isSuccess}>
      {create.isSuccess ? (
        <Stack>
          <Alert color="yellow" variant="light">
            {words.once}
          </Alert>
          <Code block aria-label={words.token} tabIndex={0}>
            {create.data.token}
          </Code>
          <Group justify="flex-end">
            <CopyButton value={create.data.token}>{({ copied, copy }) => <Button onClick={copy} autoFocus>{copied ? shared.copied : shared.copy}</Button>}</CopyButton>
            <Button variant="default" onClick={close}>
              {words.done}
            </Button>
          </Group>
        </Stack>
      ) : (
        <DialogForm action={words.make} change={create} onSubmit={submit} onCancel={close} disabled={!name.trim()}>
          <TextInput label={words.name} description={words.nameAbout} value={name} onChange={(event) => setName(event.currentTarget.value)} required maxLength={100} data-autofocus />
          <Select
            label={words.reach}
            placeholder={words.everything}
            data={agents.map(([value, label]) => ({ value, label: words.agent(label) }))}
            value={agent}
            onChange={setAgent}
            clearable
          />
          <Select
            label={words.expires}
            data={Object.entries(words.expiries).map(([value, label]) => ({ value, label }))}
            value={days}
            onChange={(value) => setDays(value ?? "90")}
            allowDeselect={false}
          />
          <Checkbox label={words.readOnly} checked={readOnly} onChange={(event) => setReadOnly(event.currentTarget.checked)} />
        </DialogForm>
      )}
    </Dialog>
  );
}

function Revocation({ of: key, close }: { of: ApiKey; close: () => void }) {
  const revoke = useRevokeKey();
  return (
    <Dialog opened onClose={close} title={words.revokeTitle(key.name)}>
      <DialogForm action={words.revoke} destroys change={revoke} onSubmit={() => revoke.mutate(key.id, { onSuccess: close })} onCancel={close}>
        <Text size="sm">{words.revokeAbout}</Text>
      </DialogForm>
    </Dialog>
  );
}
