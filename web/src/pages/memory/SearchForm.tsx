/** The question, and what its answer is narrowed to. A search is sent when it is asked for, since recalls are logged. */
import { Autocomplete, Button, Card, Group, Input, SegmentedControl, Select, Stack, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useState, type FormEvent } from "react";

import { Icon } from "../../parts/icons";
import { bare } from "../../parts/links";
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
}

export function SearchForm({ search, change, busy }: Props) {
  const [question, setQuestion] = useState(search.question);
  const [speaker, setSpeaker] = useState(search.speaker ?? "");
  useEffect(() => setQuestion(search.question), [search.question]);
  useEffect(() => setSpeaker(search.speaker ?? ""), [search.speaker]);
  const speakers = useSpeakers(search.wing);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change({ question: question.trim(), speaker: speaker.trim() || null });
  };
  return (
    <Card withBorder mb="md" padding="md">
      <form onSubmit={submit} role="search">
        <Stack gap="sm">
          <Group align="flex-end" gap="xs" wrap="nowrap">
            <TextInput
              flex={1}
              label={words.search.label}
              placeholder={words.search.placeholder}
              leftSection={<Icon name="search" />}
              value={question}
              onChange={(event) => setQuestion(event.currentTarget.value)}
              maxLength={2000}
              type="search"
            />
            <Button type="submit" loading={busy}>
              {words.search.submit}
            </Button>
          </Group>
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
        </Stack>
      </form>
    </Card>
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
