/** The accesses to a memory, newest first: what was done, by whom, in which run, and why. */
import { Anchor, Button, Code, Table, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";

import type { Access } from "../api/schema";
import { shared } from "../texts/shared";
import { Ago } from "./Ago";
import { toPage } from "./links";

const words = shared.accesses;
/** Accesses that are shown at first. */
const MOST = 20;

export function Accesses({ of: accesses }: { of: Access[] }) {
  const [all, setAll] = useState(false);
  const newest = accesses.toReversed();
  return (
    <>
      <Table verticalSpacing={4} aria-label={words.title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.did}</Table.Th>
            <Table.Th>{words.who}</Table.Th>
            <Table.Th className="number">{words.when}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {newest.slice(0, all ? undefined : MOST).map((each) => (
            <Table.Tr key={each.id}>
              <Table.Td>
                {each.action}
                {each.context?.reason ? (
                  <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                    {words.reason}: {String(each.context.reason)}
                  </Text>
                ) : null}
              </Table.Td>
              <Table.Td style={{ overflowWrap: "anywhere" }}>
                <Code>{each.actor}</Code> {each.run_id ? <ToRun id={each.run_id} said={words.run} /> : null}
              </Table.Td>
              <Table.Td className="number">
                <Ago at={each.accessed_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {newest.length > MOST && !all ? (
        <Button variant="subtle" size="compact-xs" mt={4} onClick={() => setAll(true)}>
          {words.all(newest.length)}
        </Button>
      ) : null}
    </>
  );
}

/** A run, as a link to what it saw. */
export function ToRun({ id, said }: { id: string; said: string }) {
  return (
    <Anchor component={Link} href={toPage(`/runs/${id}`)} title={id} fz="inherit">
      {said}
    </Anchor>
  );
}
