/** What calls of models took: the month beside its cap, by use, model or day; caps, prices, the newest calls. */
import { Box, Card, Group, Progress, SegmentedControl, SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";

import type { Spending, Usage } from "../../api/schema";
import { Page } from "../../parts/Page";
import { Part } from "../../parts/Part";
import { Empty, Lines, Loaded } from "../../parts/states";
import { costs as words } from "../../texts/costs";
import { Calls } from "./Calls";
import { Caps } from "./Caps";
import { dollars } from "./money";
import { Prices } from "./Prices";
import { useUsage } from "./queries";

const BY: Usage["by"][] = ["source", "model", "day"];

export default function CostsPage() {
  const [by, setBy] = useState<Usage["by"]>("source");
  const usage = useUsage(by);
  return (
    <Page title={words.title} about={words.about}>
      <Stack gap="lg">
        <Loaded query={usage} skeleton={<Waiting />}>
          {(found) => (
            <>
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <Sum title={words.month} of={found.month ?? {}} cap={found.cap_month ?? null} />
                <Sum title={words.total} of={found.total ?? {}} />
              </SimpleGrid>
              {found.total?.calls || found.total?.stopped ? (
                <Part title={words.table.title}>
                  <SegmentedControl
                    aria-label={words.by.label}
                    data={BY.map((value) => ({ value, label: words.by[value] }))}
                    value={by}
                    onChange={(value) => setBy(value as Usage["by"])}
                    my="sm"
                  />
                  <Shares rows={found.rows} by={found.by} />
                </Part>
              ) : (
                <Empty icon="coins" title={words.empty.title}>
                  {words.empty.text}
                </Empty>
              )}
              <Caps month={found.cap_month ?? null} conversation={found.cap_conversation ?? null} />
            </>
          )}
        </Loaded>
        <Prices />
        <Calls />
      </Stack>
    </Page>
  );
}

/** As high as what comes where no model was asked yet. */
function Waiting() {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Lines count={1} height={116} />
        <Lines count={1} height={116} />
      </SimpleGrid>
      <Box h={220}>
        <Lines count={1} height={220} />
      </Box>
      <Box h={{ base: 280, sm: 148 }} />
    </>
  );
}

function Sum({ title, of: spent, cap }: { title: string; of: Spending; cap?: string | null }) {
  const share = cap && Number(cap) > 0 ? (100 * Number(spent.cost ?? 0)) / Number(cap) : null;
  return (
    <Card withBorder component="section" aria-label={title}>
      <Text c="dimmed" size="sm">
        {title}
      </Text>
      <Group align="baseline" gap="xs">
        <Text fz={28} fw={650}>
          {dollars(spent.cost)}
        </Text>
        {cap === undefined ? null : (
          <Text c="dimmed" size="sm">
            {cap === null ? words.noCap : words.ofCap(dollars(cap))}
          </Text>
        )}
      </Group>
      {share === null ? null : <Progress value={Math.min(100, share)} color={share > 90 ? "red.8" : undefined} aria-label={words.month} my={6} />}
      <Text size="sm">{words.calls(spent.calls ?? 0)}</Text>
      {spent.stopped ? <Text size="sm">{words.stopped(spent.stopped)}</Text> : null}
      {spent.unknown ? <Text size="sm">{words.unknown(spent.unknown)}</Text> : null}
    </Card>
  );
}

function Shares({ rows, by }: { rows: Spending[]; by: Usage["by"] }) {
  const most = Math.max(...rows.map(({ cost }) => Number(cost ?? 0)), 0);
  const { columns } = words.table;
  return (
    <Table.ScrollContainer minWidth={620} type="native" tabIndex={0}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.by[by]}</Table.Th>
            {[columns.calls, columns.failed, columns.tokensIn, columns.tokensOut, columns.stopped, columns.cost].map((column) => (
              <Table.Th key={column} className="number">
                {column}
              </Table.Th>
            ))}
            <Table.Td w="22%" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.name}>
              <Table.Td>{by === "source" ? (words.sources[row.name ?? ""] ?? row.name) : row.name}</Table.Td>
              {[row.calls, row.failed, row.tokens_in, row.tokens_out, row.stopped].map((count, column) => (
                <Table.Td key={column} className="number">
                  {(count ?? 0).toLocaleString("en")}
                </Table.Td>
              ))}
              <Table.Td className="number">{dollars(row.cost)}</Table.Td>
              <Table.Td aria-hidden>
                <Progress value={most ? (100 * Number(row.cost ?? 0)) / most : 0} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
