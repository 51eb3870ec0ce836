/** The first page: a search field, what needs attention, how much is stored, and what came in lately. */
import { Anchor, Box, Button, Card, Group, SimpleGrid, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState, type FormEvent, type ReactNode } from "react";
import { Link, useLocation } from "wouter";

import { useLatest } from "../../api/conversations";
import { useReadOnly } from "../../api/rights";
import type { Overview } from "../../api/schema";
import { useSync } from "../../api/sync";
import { useVectors } from "../../api/vectors";
import { Bar } from "../../parts/Advance";
import { Ago, onDay } from "../../parts/Ago";
import { EventList } from "../../parts/EventList";
import { Icon, type IconName } from "../../parts/icons";
import { toPage, toPointer } from "../../parts/links";
import { Page } from "../../parts/Page";
import { Prose } from "../../parts/Prose";
import { SEARCH } from "../../parts/search";
import { Lines, Loaded } from "../../parts/states";
import { number } from "../../texts/count";
import { memory } from "../../texts/memory";
import { overview as words } from "../../texts/overview";
import { matters, type Matter } from "./matters";
import styles from "./OverviewPage.module.css";
import { useExtract, useExtractionEstimate, useLastImport, useNewestEvents, useOverview, useSettings } from "./queries";

const LATEST = 6;
const icons: Record<Matter["kind"], IconName> = { wrong: "warning", open: "inbox", busy: "clock" };

export default function OverviewPage() {
  const overview = useOverview();
  return (
    <Page title={words.title} about={words.about}>
      <Loaded query={overview} skeleton={<Lines count={4} height={130} gap={20} />}>
        {(found) => (
          <Stack gap="lg">
            {found.conversations ? <Search /> : <Start />}
            <Attention overview={found} />
            <Stored overview={found} />
            {found.conversations ? (
              <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
                <Latest />
                <Newest />
              </SimpleGrid>
            ) : null}
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Search() {
  const [question, setQuestion] = useState("");
  const [, go] = useLocation();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (question.trim()) go(toPage(`/memory?q=${encodeURIComponent(question.trim())}`));
  };
  return (
    <form role="search" onSubmit={submit} className={styles.search}>
      <TextInput
        size="md"
        aria-label={memory.search.label}
        placeholder={memory.search.label}
        leftSection={<Icon name="search" />}
        value={question}
        onChange={(event) => setQuestion(event.currentTarget.value)}
        maxLength={2000}
        type="search"
        {...SEARCH}
      />
      <Button type="submit" size="md">
        {memory.search.submit}
      </Button>
    </form>
  );
}

/** What to do first, where nothing is stored. */
function Start() {
  return (
    <Card withBorder component="section" aria-label={words.start.title} padding="lg">
      <Title order={2}>{words.start.title}</Title>
      <Text c="dimmed" size="sm" mb="md">
        {words.start.about}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
        {words.start.steps.map(({ title, text, go, path }) => (
          <Stack key={title} gap={6} align="flex-start">
            <Text fw={600}>{title}</Text>
            <Text size="sm">
              <Prose>{text}</Prose>
            </Text>
            {path ? (
              <Button component={Link} href={toPage(path)} variant="default" size="sm" mt={4}>
                {go}
              </Button>
            ) : null}
          </Stack>
        ))}
      </SimpleGrid>
    </Card>
  );
}

function Attention({ overview }: { overview: Overview }) {
  const vectors = useVectors().data;
  const settings = useSettings().data;
  const lastImport = useLastImport().data;
  const sync = useSync().data;
  const found = matters({ overview, vectors, settings, lastImport, sync });
  return (
    <Section title={found.length && found.every(({ kind }) => kind === "busy") ? words.attention.busy : words.attention.title}>
      {found.length ? (
        <ul className={styles.matters}>
          {found.map(({ kind, text, to, go, does, advance }) => (
            <li key={text} className={styles.matter} data-kind={kind}>
              <Icon name={icons[kind]} />
              <Box flex={1} miw={0}>
                <Text size="sm" style={{ overflowWrap: "anywhere" }}>
                  <Prose>{text}</Prose>
                </Text>
                {advance ? <Bar of={advance} label={text} /> : null}
              </Box>
              {to ? (
                <Anchor component={Link} href={toPage(to)} size="sm" style={{ whiteSpace: "nowrap" }}>
                  {go}
                </Anchor>
              ) : null}
              {does === "extract" ? <Extract /> : null}
            </li>
          ))}
        </ul>
      ) : (
        <Group gap="xs" c="dimmed" mt={6}>
          <Icon name="check" />
          <Text size="sm">{words.attention.none}</Text>
        </Group>
      )}
    </Section>
  );
}

/** A button that extracts facts with the LLM, with the maximum cost. */
function Extract() {
  const estimate = useExtractionEstimate().data;
  const extract = useExtract();
  const readOnly = useReadOnly();
  const wrong = extract.error;
  return (
    <Group gap="xs">
      {wrong || estimate ? (
        <Text size="xs" c={wrong ? "red.8" : "dimmed"}>
          {wrong ? wrong.message : estimate && words.attention.unread.cost(estimate)}
        </Text>
      ) : null}
      <Button size="compact-sm" variant="default" onClick={() => extract.mutate()} loading={extract.isPending} disabled={readOnly}>
        {words.attention.unread.extract}
      </Button>
    </Group>
  );
}

function Stored({ overview }: { overview: Overview }) {
  const { conversations, turns, entities, agents, memories, first_at: first, last_at: last } = overview;
  const numbers: [string, number, string][] = [
    [words.stored.conversations, conversations, "/memory"],
    [words.stored.turns, turns, "/memory"],
    [words.stored.entities, entities, "/entities"],
    [words.stored.agents, agents, "/agents"],
    [words.stored.memories, memories, "/agents"],
  ];
  return (
    <Section title={words.stored.title}>
      <dl className={styles.numbers}>
        {numbers.map(([name, count, path]) => (
          <div key={name} className={styles.number}>
            <dt>
              <Anchor component={Link} href={toPage(path)} c="inherit" inherit>
                {name}
              </Anchor>
            </dt>
            <dd>{number(count)}</dd>
          </div>
        ))}
      </dl>
      {first && last ? (
        <Text size="xs" c="dimmed" mt="sm">
          {words.stored.span(onDay(new Date(first)), onDay(new Date(last)))}
        </Text>
      ) : null}
    </Section>
  );
}

function Latest() {
  const latest = useLatest(LATEST);
  return (
    <Section title={words.latest.title} more={[words.latest.all, "/memory"]} wide>
      <Loaded query={latest} skeleton={<Lines count={LATEST} height={48} />}>
        {(found) => (
          <ul className={styles.conversations}>
            {found.map((each) => (
              <li key={each.conversation} className={styles.conversation}>
                <Anchor component={Link} href={toPointer(each.pointer)} size="sm" fw={550} dir="auto" style={{ overflowWrap: "anywhere" }}>
                  {each.title}
                </Anchor>
                <Text size="xs" c="dimmed" component="div">
                  {each.wing} · {words.latest.turns(each.turns)} · {onDay(new Date(each.ended_at))} · {words.latest.stored} <Ago at={each.stored_at} />
                </Text>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

function Newest() {
  const events = useNewestEvents();
  return (
    <Section title={words.activity.title} more={[words.activity.all, "/activity"]} wide>
      <Loaded query={events} skeleton={<Lines count={LATEST} height={48} />}>
        {(found) => (found.length ? <EventList events={found} /> : <Text size="sm">{words.activity.none}</Text>)}
      </Loaded>
    </Section>
  );
}

interface Part {
  title: string;
  /** What leads to all of it, and where. */
  more?: [string, string];
  /** Whether its rows go from edge to edge. */
  wide?: boolean;
  children: ReactNode;
}

function Section({ title, more, wide = false, children }: Part) {
  return (
    <Card withBorder component="section" aria-label={title} padding={wide ? 0 : "md"}>
      <Group justify="space-between" gap="xs" px={wide ? "md" : 0} pt={wide ? "md" : 0} pb={wide ? 4 : 0}>
        <Title order={2}>{title}</Title>
        {more ? (
          <Anchor component={Link} href={toPage(more[1])} size="sm">
            {more[0]}
          </Anchor>
        ) : null}
      </Group>
      {children}
    </Card>
  );
}
