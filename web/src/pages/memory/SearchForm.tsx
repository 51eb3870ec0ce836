/** The question, and behind a button what its results are narrowed to. A search is sent when it is submitted, since recalls are
 * logged. */
import { Autocomplete, Box, Button, Input, Kbd, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { useEffect, useRef, useState, type FormEvent } from "react";

import { Icon } from "../../parts/icons";
import { bare } from "../../parts/links";
import { SEARCH, wantsSearch } from "../../parts/search";
import { memory as words } from "../../texts/memory";
import { useSpeakers, useWings, type Narrowing } from "./queries";
import styles from "./SearchForm.module.css";
import { TimeBrush } from "./TimeBrush";

export const LINES = ["5", "10", "20"];

export interface Search extends Narrowing {
  question: string;
  lines: number;
}

interface Props {
  search: Search;
  change: (changed: Partial<Search>) => void;
  busy: boolean;
  /** Goes to the first result. */
  toResults: () => void;
}

export function SearchForm({ search, change, busy, toResults }: Props) {
  const [question, setQuestion] = useState(search.question);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => setQuestion(search.question), [search.question]);
  useEffect(() => {
    if (wantsSearch()) field.current?.focus();
  }, []);
  const set = [search.wing, search.speaker, search.since ?? search.until].filter(Boolean).length;
  const [filters, { toggle }] = useDisclosure(set > 0);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change({ question: question.trim() });
  };
  return (
    <Box mb="md" role="search">
      <form onSubmit={submit}>
        <div className={styles.line}>
          <TextInput
            ref={field}
            className={styles.question}
            size="md"
            aria-label={words.search.label}
            placeholder={words.search.placeholder}
            leftSection={<Icon name="search" />}
            rightSection={
              question ? null : (
                <Kbd size="xs" visibleFrom="sm" aria-hidden>
                  /
                </Kbd>
              )
            }
            rightSectionPointerEvents="none"
            value={question}
            onChange={(event) => setQuestion(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "ArrowDown") return;
              event.preventDefault();
              toResults();
            }}
            maxLength={2000}
            type="search"
            {...SEARCH}
          />
          <Button type="submit" size="md" loading={busy}>
            {words.search.submit}
          </Button>
          <Button size="md" variant={set ? "light" : "default"} aria-expanded={filters} onClick={toggle} leftSection={<Icon name="filter" size={16} />}>
            {set ? words.search.filtersSet(set) : words.search.filters}
          </Button>
        </div>
      </form>
      {filters ? <Filters search={search} change={change} /> : null}
    </Box>
  );
}

function Filters({ search, change }: { search: Search; change: (changed: Partial<Search>) => void }) {
  const [speaker, setSpeaker] = useState(search.speaker ?? "");
  useEffect(() => setSpeaker(search.speaker ?? ""), [search.speaker]);
  const speakers = useSpeakers(search.wing);
  return (
    <div className={styles.filters}>
      <WingSelect value={search.wing} choose={(wing) => change({ wing })} />
      <Autocomplete
        label={words.search.speaker}
        placeholder={words.search.anySpeaker}
        data={(speakers.data ?? []).map(({ name }) => name)}
        value={speaker}
        onChange={setSpeaker}
        onOptionSubmit={(name) => change({ speaker: name })}
        onBlur={() => change({ speaker: speaker.trim() || null })}
        onKeyDown={(event) => event.key === "Enter" && change({ speaker: speaker.trim() || null })}
        clearable
        onClear={() => change({ speaker: null })}
        limit={50}
      />
      <Input.Wrapper label={words.search.lines} labelElement="div" labelProps={{ id: "lines" }} className={styles.lines}>
        <SegmentedControl
          aria-labelledby="lines"
          data={LINES}
          value={String(search.lines)}
          onChange={(lines) => change({ lines: Number(lines) })}
          fullWidth
        />
      </Input.Wrapper>
      <div className={styles.time}>
        <TimeBrush
          wing={search.wing}
          speaker={search.speaker}
          since={search.since}
          until={search.until}
          choose={(since, until) => change({ since, until })}
        />
      </div>
    </div>
  );
}

/** A wing of all, however many there are: names are looked for where they are. */
function WingSelect({ value, choose }: { value: string | null; choose: (wing: string | null) => void }) {
  const [text, setText] = useState("");
  const [looked] = useDebouncedValue(text, 200);
  const all = useWings("");
  const found = useWings(looked);
  const known = new Map([...(all.data ?? []), ...(found.data ?? [])].map((each) => [bare(each.pointer), each.name]));
  if (value !== null && !known.has(value)) known.set(value, value);
  return (
    <Select
      label={words.search.wing}
      placeholder={words.search.anyWing}
      data={[...known].map(([pointer, name]) => ({ value: pointer, label: name }))}
      value={value}
      onChange={choose}
      onSearchChange={setText}
      searchable
      clearable
      nothingFoundMessage={words.search.noWing}
      limit={80}
    />
  );
}
