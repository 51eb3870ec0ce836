/** The newest calls of models, one by one. */
import { Table } from "@mantine/core";

import { Ago } from "../../parts/Ago";
import { Part } from "../../parts/Part";
import { Lines, Loaded } from "../../parts/states";
import { costs as words } from "../../texts/costs";
import { dollars } from "./money";
import { useCalls } from "./queries";

export function Calls() {
  const calls = useCalls();
  const { columns } = words.recent;
  return (
    <Loaded query={calls} skeleton={<Lines count={4} />}>
      {(found) =>
        found.length ? (
          <Part title={words.recent.title}>
            <Table.ScrollContainer minWidth={480} type="native" tabIndex={0}>
              <Table verticalSpacing={6}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{columns.when}</Table.Th>
                    <Table.Th>{columns.use}</Table.Th>
                    <Table.Th>{columns.model}</Table.Th>
                    <Table.Th>{columns.outcome}</Table.Th>
                    <Table.Th className="number">{columns.cost}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {found.map((call) => (
                    <Table.Tr key={call.id}>
                      <Table.Td>
                        <Ago at={call.began_at} />
                      </Table.Td>
                      <Table.Td>{words.sources[call.source] ?? call.source}</Table.Td>
                      <Table.Td>{call.model}</Table.Td>
                      <Table.Td>{words.outcomes[call.outcome]}</Table.Td>
                      <Table.Td className="number">{call.cost === null || call.cost === undefined ? words.unknownCost : dollars(call.cost)}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          </Part>
        ) : null
      }
    </Loaded>
  );
}
