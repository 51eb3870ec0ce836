/** What was left out or mended, where and why. */
import { Alert, Badge, Code, Table, Text } from "@mantine/core";

import type { UploadSurvey } from "../../api/schema";
import { importing } from "../../texts/importing";

const words = importing.problems;
const SHOWN = 200;

export function Problems({ of: problems, count }: { of: NonNullable<UploadSurvey["problems"]>; count: number }) {
  if (!count) return null;
  return (
    <Alert color="gray" variant="light" title={words.title(count)}>
      {problems.length < count || problems.length > SHOWN ? <Text size="sm">{words.first(Math.min(problems.length, SHOWN))}</Text> : null}
      <Table.ScrollContainer minWidth={420} mah={320} type="native" tabIndex={0}>
        <Table verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.columns.where}</Table.Th>
              <Table.Th>{words.columns.what}</Table.Th>
              <Table.Td />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {problems.slice(0, SHOWN).map((problem, index) => (
              <Table.Tr key={index}>
                <Table.Td>
                  <Code>{problem.path}</Code> {problem.line ? words.line(problem.line) : null}
                </Table.Td>
                <Table.Td>{problem.what}</Table.Td>
                <Table.Td>
                  <Badge color="gray.7">{problem.lost ? words.lost : words.mended}</Badge>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Alert>
  );
}
