/** The palace to walk through, what a recall brings back from it, and any drawer in its conversation. */
import { Anchor, Box, Button, Card, Group, Text } from "@mantine/core";
import { useRef } from "react";
import { Link, useSearchParams } from "wouter";

import { Icon } from "../../parts/icons";
import { toPage } from "../../parts/links";
import { Page } from "../../parts/Page";
import { Prose } from "../../parts/Prose";
import { Split } from "../../parts/Split";
import { Empty, Failed, Lines, Loaded } from "../../parts/states";
import { memory as words } from "../../texts/memory";
import styles from "./MemoryPage.module.css";
import { PalaceTree } from "./PalaceTree";
import { useRecall } from "./queries";
import { Results } from "./Results";
import { LINES, SearchForm, type Search } from "./SearchForm";
import { Talk } from "./Talk";
import { useTree } from "./tree";

const FIELDS = { question: "q", wing: "wing", speaker: "speaker", since: "since", until: "until" } as const;
/** Stands in the address where results that are unlikely to answer the question are wanted too. */
const UNLIKELY = "unlikely";
const DEFAULT_LINES = 10;

export default function MemoryPage() {
  const [parameters, setParameters] = useSearchParams();
  const tree = useTree();
  const search = read(parameters);
  const at = parameters.get("at");
  const detail = useRef<HTMLDivElement>(null);
  const { question, lines, ...narrowing } = search;
  const recalled = useRecall(question, lines, narrowing);
  const change = (changed: Partial<Search>) => {
    const next = written({ ...search, ...(changed.question === undefined ? {} : { min_confidence: null }), ...changed });
    if (changed.question === undefined && at) next.set("at", at);
    if (next.toString() !== parameters.toString()) setParameters(next);
  };
  const linkTo = (pointer: string | null) => {
    const next = written(search);
    if (pointer) next.set("at", pointer);
    return next.size ? `/?${next}` : "/";
  };
  const choose = (pointer: string) => {
    const next = written(search);
    next.set("at", pointer);
    setParameters(next);
  };
  if (tree.top.isError && !tree.top.data) {
    return (
      <Page title={words.title} about={words.about}>
        <Failed error={tree.top.error} retry={() => tree.retry("")} />
      </Page>
    );
  }
  if (tree.top.data?.nodes.length === 0) {
    return (
      <Page title={words.title} about={words.about}>
        <Empty icon="palace" title={words.empty.title}>
          <>
            <Text c="dimmed" size="sm">
              <Prose>{words.empty.text}</Prose>
            </Text>
            <Button component={Link} href={toPage("/import")} mt="xs">
              {words.empty.go}
            </Button>
          </>
        </Empty>
      </Page>
    );
  }
  return (
    <Page title={words.title} about={words.about}>
      <SearchForm search={search} change={change} busy={recalled.isFetching && question !== ""} toResults={() => detail.current?.querySelector<HTMLElement>("article[tabindex='0']")?.focus()} />
      <Split
        fixed
        label={words.tree.label}
        detail={at ?? (question || undefined)}
        back={question && at ? linkTo(null) : "/"}
        backTo={question && at ? words.results.back : words.tree.back}
        list={
          <Card withBorder padding="xs" className={styles.tree}>
            <PalaceTree tree={tree} chosen={at} choose={choose} />
          </Card>
        }
      >
        <Box className={styles.detail} ref={detail}>
          {at ? (
            <>
              {question ? (
                <Anchor component={Link} href={linkTo(null)} size="sm" className={styles.back}>
                  <Group gap={4} py="xs">
                    <Icon name="back" size={16} />
                    {words.results.back}
                  </Group>
                </Anchor>
              ) : null}
              <Talk key={at} at={at} />
            </>
          ) : question ? (
            <Loaded query={recalled} skeleton={<Lines count={4} height={150} />}>
              {(found) => <Results recalled={found} question={question} old={recalled.isPlaceholderData} linkTo={linkTo} showUnlikely={() => change({ min_confidence: 0 })} />}
            </Loaded>
          ) : (
            <Empty icon="palace" title={words.choose.title}>
              {words.choose.text}
            </Empty>
          )}
        </Box>
      </Split>
    </Page>
  );
}

/** The search that an address tells of. */
function read(parameters: URLSearchParams): Search {
  const lines = parameters.get("lines") ?? "";
  return {
    question: parameters.get(FIELDS.question) ?? "",
    wing: parameters.get(FIELDS.wing),
    speaker: parameters.get(FIELDS.speaker),
    since: parameters.get(FIELDS.since),
    until: parameters.get(FIELDS.until),
    min_confidence: parameters.has(UNLIKELY) ? 0 : null,
    lines: LINES.includes(lines) ? Number(lines) : DEFAULT_LINES,
  };
}

function written(search: Search): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [field, name] of Object.entries(FIELDS)) {
    const value = search[field as keyof typeof FIELDS];
    if (value) parameters.set(name, value);
  }
  if (search.min_confidence !== null) parameters.set(UNLIKELY, "1");
  if (search.lines !== DEFAULT_LINES) parameters.set("lines", String(search.lines));
  return parameters;
}
