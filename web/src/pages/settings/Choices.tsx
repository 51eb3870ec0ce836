/** The settings in a form: what differs is sent when it is saved. */
import { Button, Group, NumberInput, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useEffect, useState, type FormEvent } from "react";

import type { SettingsChange, UserSettings } from "../../api/schema";
import { useVectors } from "../../api/vectors";
import { Bar, renewal } from "../../parts/Advance";
import { Wrong } from "../../parts/Dialog";
import { Part } from "../../parts/Part";
import { Prose } from "../../parts/Prose";
import { renewing } from "../../texts/progress";
import { settings as words } from "../../texts/settings";
import { useChangeSettings } from "./queries";

type Name = "rerank_model" | "extract_model" | "embedding_model" | "time_zone";
type Toggle = "enabled" | "auto_mine" | "rerank";

export function Choices({ now, fixed }: { now: UserSettings; fixed: boolean }) {
  const [wanted, setWanted] = useState(now);
  useEffect(() => setWanted(now), [now]);
  const change = useChangeSettings();
  const set = (changed: Partial<UserSettings>) => {
    change.reset();
    setWanted({ ...wanted, ...changed });
  };
  const differs = different(now, wanted);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(differs);
  };
  const toggle = (name: Toggle, { label, about }: { label: string; about: string }) => (
    <Switch label={label} description={about} checked={wanted[name]} disabled={fixed} onChange={(event) => set({ [name]: event.currentTarget.checked })} />
  );
  const named = (name: Name, { label, about }: { label: string; about: string }) => (
    <TextInput label={label} description={<Prose>{about}</Prose>} value={wanted[name] ?? ""} disabled={fixed} maxLength={200} onChange={(event) => set({ [name]: event.currentTarget.value || null })} />
  );
  const handling = (name: "secrets" | "personal_data", { label, about }: { label: string; about: string }) => (
    <Select label={label} description={about} data={options(words.guards.handling)} value={wanted[name]} disabled={fixed} allowDeselect={false} onChange={(value) => set({ [name]: value as UserSettings["secrets"] })} />
  );
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Part title={words.memory.title}>
          <Stack mt="sm">
            {toggle("enabled", words.memory.enabled)}
            {toggle("auto_mine", words.memory.auto_mine)}
            <NumberInput
              label={words.memory.top_k.label}
              description={words.memory.top_k.about}
              value={wanted.top_k}
              onChange={(value) => set({ top_k: Number(value) || 1 })}
              min={1}
              max={100}
              allowDecimal={false}
              disabled={fixed}
              styles={{ wrapper: { maxWidth: 160 } }}
            />
            <Select
              label={words.memory.across_projects.label}
              description={words.memory.across_projects.about}
              data={options(words.memory.across)}
              value={wanted.across_projects}
              disabled={fixed}
              allowDeselect={false}
              onChange={(value) => set({ across_projects: value as UserSettings["across_projects"] })}
            />
            {named("time_zone", words.memory.time_zone)}
          </Stack>
        </Part>
        <Part title={words.guards.title}>
          <Stack mt="sm">
            {handling("secrets", words.guards.secrets)}
            {handling("personal_data", words.guards.personal_data)}
            <Select
              label={words.guards.review.label}
              description={words.guards.review.about}
              data={options(words.guards.waiting)}
              value={wanted.review}
              disabled={fixed}
              allowDeselect={false}
              onChange={(value) => set({ review: value as UserSettings["review"] })}
            />
          </Stack>
        </Part>
        <Part title={words.models.title} about={words.models.about}>
          <Stack>
            {toggle("rerank", words.models.rerank)}
            {named("rerank_model", words.models.rerank_model)}
            {named("extract_model", words.models.extract_model)}
            {named("embedding_model", words.models.embedding_model)}
            <Renewal />
          </Stack>
        </Part>
        <Wrong error={change.error} />
        <Group>
          <Button type="submit" loading={change.isPending && change.variables !== null} disabled={fixed || !Object.keys(differs).length}>
            {words.save}
          </Button>
          <Button variant="subtle" onClick={() => change.mutate(null)} loading={change.isPending && change.variables === null} disabled={fixed}>
            {words.reset}
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {change.isSuccess ? words.saved : ""}
          </Text>
        </Group>
      </Stack>
    </form>
  );
}

/** How far a change of the embedding model is, while one is under way. */
function Renewal() {
  const vectors = useVectors().data;
  if (!vectors?.next_model) return null;
  const advance = renewal(vectors);
  const text = renewing(vectors.next_model, advance);
  return (
    <div>
      <Bar of={advance} label={text} />
      <Text size="sm" c="dimmed" role="status">
        {text}
      </Text>
    </div>
  );
}

function options(of: Record<string, string>) {
  return Object.entries(of).map(([value, label]) => ({ value, label }));
}

/** What is wanted otherwise than it is. */
function different(now: UserSettings, wanted: UserSettings): Partial<SettingsChange> {
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => now[name as keyof UserSettings] !== value));
}
