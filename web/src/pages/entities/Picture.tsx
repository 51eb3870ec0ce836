/** The graph with its slider of time, and below it the same as a list. */
import { Card, Stack, Table, Text, Title } from "@mantine/core";
import { Link } from "wouter";

import type { Relation } from "../../api/schema";
import { Ago } from "../../parts/Ago";
import { Empty } from "../../parts/states";
import { entities as words } from "../../texts/entities";
import { Graph } from "./Graph";
import { Moment } from "./Moment";
import { changes, held } from "./moments";
import styles from "./Picture.module.css";

interface Props {
  relations: Relation[];
  /** The entity that it is of; all without. */
  around: string | null;
  at: Date | null;
  now: Date;
  onMoment: (at: Date | null) => void;
}

/** Rows of the list; the rest is for the filters to bring up. */
const MOST = 200;

export function Picture({ relations, around, at, now, onMoment }: Props) {
  const own = around === null ? relations : relations.filter(({ subject_id, object_id }) => around === subject_id || around === object_id);
  const live = own.filter((each) => held(each, at ?? now));
  return (
    <Card withBorder component="section" aria-label={words.graph.title}>
      <Title order={2}>{words.graph.title}</Title>
      <Text size="sm" c="dimmed" mb="sm">
        {words.graph.about}
      </Text>
      {own.length ? (
        <Stack gap="sm">
          <Moment changes={changes(own)} at={at} now={now} onChange={onMoment} />
          {own.some(({ object_id }) => object_id != null) ? <Graph relations={relations} around={around} at={at ?? now} /> : null}
          <Held relations={live} />
        </Stack>
      ) : (
        <Empty icon="entity" title={words.graph.none.title}>
          {words.graph.none.text}
        </Empty>
      )}
    </Card>
  );
}

function Held({ relations }: { relations: Relation[] }) {
  if (!relations.length) {
    return (
      <Text size="sm" role="status">
        {words.graph.nothing}
      </Text>
    );
  }
  return (
    <div className={styles.held}>
      <Table verticalSpacing={4} aria-label={words.graph.held}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.table.subject}</Table.Th>
            <Table.Th className={styles.short}>{words.table.predicate}</Table.Th>
            <Table.Th>{words.table.object}</Table.Th>
            <Table.Th className="number">{words.table.since}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {relations.slice(0, MOST).map((each) => (
            <Table.Tr key={each.id}>
              <Table.Td>
                <Named id={each.subject_id} name={each.subject} />
              </Table.Td>
              <Table.Td className={styles.short}>{words.readable(each.predicate)}</Table.Td>
              <Table.Td>
                <Named id={each.object_id} name={each.object} />
              </Table.Td>
              <Table.Td className={`number ${styles.short}`}>{each.valid_from ? <Ago at={each.valid_from} as="day" /> : words.sinceUnknown}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** An entity's name as a link to it, or a plain value. */
function Named({ id, name }: { id: string | null | undefined; name: string }) {
  return id ? (
    <Link href={`/${id}`} className={styles.named}>
      {name}
    </Link>
  ) : (
    <span className={styles.named}>{name}</span>
  );
}
