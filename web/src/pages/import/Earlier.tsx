/** Imports of the last week, also those that go on: whoever left the page finds here what became of them. */
import { Button, Table, Text } from "@mantine/core";

import type { Operation } from "../../api/schema";
import { Ago } from "../../parts/Ago";
import { Part } from "../../parts/Part";
import { importing } from "../../texts/importing";
import { useEarlier } from "./queries";
import { outcome } from "./Work";

const words = importing.earlier;

export function Earlier({ choose }: { choose: (operation: Operation) => void }) {
  const earlier = useEarlier();
  if (!earlier.data?.length) return null;
  return (
    <Part title={words.title}>
      <Table verticalSpacing="xs" mt="xs">
        <Table.Tbody>
          {earlier.data.map((each) => (
            <Table.Tr key={each.id}>
              <Table.Td style={{ overflowWrap: "anywhere" }}>
                {said(each)}
                <Text size="xs" c="dimmed">
                  <Ago at={each.created_at} />
                </Text>
              </Table.Td>
              <Table.Td ta="right">
                <Button size="compact-sm" variant="default" onClick={() => choose(each)} aria-label={words.showNamed(said(each))}>
                  {words.show}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Part>
  );
}

/** How one stands, in a sentence. */
function said(operation: Operation): string {
  const states = { waiting: words.waiting, running: words.running, failed: words.failed, cancelled: words.cancelled };
  return operation.state === "done" ? outcome(operation) : states[operation.state];
}
