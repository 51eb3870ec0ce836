/** The devices of a synced memory, and what keeps them from being in step. Nothing where it is not synced. */
import { Alert, Badge, List, Stack, Table, Text } from "@mantine/core";

import { useSync } from "../../api/sync";
import { Ago } from "../../parts/Ago";
import { Part } from "../../parts/Part";
import { Prose } from "../../parts/Prose";
import { settings } from "../../texts/settings";

const words = settings.sync;

export function Devices() {
  const sync = useSync().data;
  if (!sync?.active) return null;
  return (
    <Part title={words.title} about={words.about}>
      <Stack gap="sm">
        {sync.problem ? (
          <Alert color="red" variant="light">
            {words.unusable} <Prose>{sync.problem}</Prose>
          </Alert>
        ) : null}
        <Table.ScrollContainer minWidth={280} type="native" tabIndex={0}>
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.columns.name}</Table.Th>
                <Table.Th>{words.columns.seen}</Table.Th>
                <Table.Th>{words.columns.state}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sync.devices.map(({ id, name, is_self, seen_at, problem, shut_out }) => (
                <Table.Tr key={id}>
                  <Table.Td style={{ overflowWrap: "anywhere" }}>
                    {name} {is_self ? <Badge miw="max-content" color="gray.7">{words.self}</Badge> : null}
                  </Table.Td>
                  <Table.Td>{seen_at ? <Ago at={seen_at} /> : null}</Table.Td>
                  <Table.Td style={{ overflowWrap: "anywhere" }}>{shut_out ? words.shutOut : problem ? <Prose>{problem}</Prose> : words.fine}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: "anywhere" }}>
          {sync.synced_at ? (
            <>
              {words.synced} <Ago at={sync.synced_at} />
            </>
          ) : (
            words.notSynced
          )}
          {sync.waiting ? ` · ${words.waiting(sync.waiting)}` : null}
          {sync.folder ? ` · ${words.folder(sync.folder)}` : null}
        </Text>
        {sync.conflicts.length ? (
          <>
            <Text size="sm">{words.conflicts}</Text>
            <List size="sm">
              {sync.conflicts.map((each) => (
                <List.Item key={each}>{each}</List.Item>
              ))}
            </List>
          </>
        ) : null}
      </Stack>
    </Part>
  );
}
