/** An agent's profiles with their settings; making, changing and deleting them. */
import { ActionIcon, Badge, Button, Card, Checkbox, Group, MultiSelect, NumberInput, Select, SimpleGrid, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";

import { useReadOnly } from "../../api/rights";
import type { Agent, Profile } from "../../api/schema";
import { Dialog, DialogForm } from "../../parts/Dialog";
import { Facts } from "../../parts/Facts";
import { Icon } from "../../parts/icons";
import { Verbatim } from "../../parts/Verbatim";
import { agents as words } from "../../texts/agents";
import { options } from "./options";
import { useDeleteProfile, useSaveProfile } from "./queries";

const DAY = 86_400;

export function Profiles({ agent, profiles }: { agent: Agent; profiles: Profile[] }) {
  const [form, { open, close }] = useDisclosure();
  const [edited, setEdited] = useState<Profile | null>(null);
  const [removed, setRemoved] = useState<Profile | null>(null);
  const readOnly = useReadOnly();
  const edit = (profile: Profile | null) => {
    setEdited(profile);
    open();
  };
  return (
    <Card withBorder component="section" aria-label={words.profiles.title}>
      <Group justify="space-between" align="flex-start" mb="sm" wrap="nowrap">
        <div>
          <Title order={2}>{words.profiles.title}</Title>
          <Text size="sm" c="dimmed">
            {words.profiles.about}
          </Text>
        </div>
        <Button variant="default" size="xs" flex="none" onClick={() => edit(null)} disabled={readOnly} leftSection={<Icon name="plus" size={14} />}>
          {words.profiles.create}
        </Button>
      </Group>
      <Stack gap="xs">
        {profiles.map((profile) => (
          <Card key={profile.id} withBorder padding="sm" role="group" aria-label={profile.name}>
            <Group justify="space-between" wrap="nowrap" mb={4}>
              <Group gap="xs" miw={0}>
                <Text fw={600} size="sm" style={{ overflowWrap: "anywhere" }}>
                  {profile.name}
                </Text>
                {profile.is_default ? (
                  <Badge size="sm" color="moss.8">
                    {words.profiles.default}
                  </Badge>
                ) : null}
              </Group>
              <Group gap={2} wrap="nowrap">
                <ActionIcon variant="subtle" color="gray" aria-label={words.profiles.edit(profile.name)} onClick={() => edit(profile)} disabled={readOnly}>
                  <Icon name="edit" size={16} />
                </ActionIcon>
                {profile.is_default ? null : (
                  <ActionIcon variant="subtle" color="gray" aria-label={words.profiles.remove(profile.name)} onClick={() => setRemoved(profile)} disabled={readOnly}>
                    <Icon name="trash" size={16} />
                  </ActionIcon>
                )}
              </Group>
            </Group>
            <Facts of={settings(profile)} />
          </Card>
        ))}
      </Stack>
      <Dialog opened={form} onClose={close} title={edited ? words.profiles.editTitle : words.profiles.create} size="lg">
        <ProfileForm agent={agent} profile={edited} onClose={close} />
      </Dialog>
      <Dialog opened={removed !== null} onClose={() => setRemoved(null)} title={words.profiles.removeTitle}>
        {removed ? <DeleteForm profile={removed} onClose={() => setRemoved(null)} /> : null}
      </Dialog>
    </Card>
  );
}

function settings(profile: Profile): [string, React.ReactNode][] {
  const told = words.profiles;
  const scopes = (profile.injection_scopes ?? []).map((each) => words.scopes[each]).join(", ");
  return [
    [told.scope, words.scopes[profile.scope ?? "project"]],
    [told.kept, profile.retention_seconds == null ? told.forEver : told.days(profile.retention_seconds / DAY)],
    [told.most, profile.max_entries == null ? told.unlimited : told.entries(profile.max_entries)],
    [told.isolation, words.isolations[profile.isolation ?? "private"]],
    [told.told, told.tells(profile.injection_limit ?? 5, words.strategies[profile.injection_strategy ?? "top_confidence"], scopes)],
    // What follows the user's own settings is not repeated for each profile.
    ...shown(told.secrets, profile.secrets && words.filters[profile.secrets]),
    ...shown(told.personal, profile.personal_data && words.filters[profile.personal_data]),
    ...shown(told.review, profile.review && words.reviewPolicies[profile.review]),
    ...(profile.seed_entries?.length
      ? [[told.seeds, <Verbatim text={profile.seed_entries.map(({ content }) => content).join("\n")} most={300} />] as [string, React.ReactNode]]
      : []),
  ];
}

function shown(name: string, value: string | null | undefined): [string, React.ReactNode][] {
  return value ? [[name, value]] : [];
}

function ProfileForm({ agent, profile, onClose }: { agent: Agent; profile: Profile | null; onClose: () => void }) {
  const told = words.profiles;
  const save = useSaveProfile(agent.id, profile);
  const [name, setName] = useState(profile?.name ?? "");
  const [scope, setScope] = useState(profile?.scope ?? "project");
  const [days, setDays] = useState<number | string>(profile?.retention_seconds == null ? "" : profile.retention_seconds / DAY);
  const [most, setMost] = useState<number | string>(profile?.max_entries ?? "");
  const [isolation, setIsolation] = useState(profile?.isolation ?? "private");
  const [strategy, setStrategy] = useState(profile?.injection_strategy ?? "top_confidence");
  const [limit, setLimit] = useState<number | string>(profile?.injection_limit ?? 5);
  const [scopes, setScopes] = useState<string[]>(profile?.injection_scopes ?? ["project"]);
  const [secrets, setSecrets] = useState(profile?.secrets ?? null);
  const [personal, setPersonal] = useState(profile?.personal_data ?? null);
  const [review, setReview] = useState(profile?.review ?? null);
  const [isDefault, setDefault] = useState(profile?.is_default ?? false);
  const submit = () =>
    save.mutate(
      {
        name,
        scope,
        retention_seconds: days === "" ? null : Math.round(Number(days) * DAY),
        max_entries: most === "" ? null : Number(most),
        isolation,
        injection_strategy: strategy,
        injection_limit: Number(limit),
        injection_scopes: scopes as Profile["injection_scopes"],
        secrets,
        personal_data: personal,
        review,
        // A default is moved to another profile, and not just taken away.
        ...(isDefault ? { is_default: true } : {}),
      },
      { onSuccess: onClose },
    );
  return (
    <DialogForm action={profile ? words.form.save : words.form.create} change={save} onSubmit={submit} onCancel={onClose} disabled={!name.trim()}>
      <TextInput label={told.name} value={name} onChange={(event) => setName(event.currentTarget.value)} data-autofocus autoComplete="off" />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NumberInput label={told.keptDays} description={told.keptAbout} value={days} onChange={setDays} min={0} />
        <NumberInput label={told.mostEntries} description={told.mostAbout} value={most} onChange={setMost} min={1} allowDecimal={false} />
        <Select label={told.strategy} data={options(words.strategies)} value={strategy} onChange={(next) => setStrategy(next ?? strategy)} allowDeselect={false} />
        <NumberInput label={told.limit} value={limit} onChange={setLimit} min={0} allowDecimal={false} />
      </SimpleGrid>
      <MultiSelect label={told.injected} data={options(words.scopes)} value={scopes} onChange={setScopes} searchable />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select label={told.scope} data={options(words.scopes)} value={scope} onChange={(next) => setScope(next ?? scope)} allowDeselect={false} />
        <Select label={told.isolation} data={options(words.isolations)} value={isolation} onChange={(next) => setIsolation(next ?? isolation)} allowDeselect={false} />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {told.isolationAbout}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <Select label={told.secrets} placeholder={told.asUser} data={options(words.filters)} value={secrets} onChange={setSecrets} clearable />
        <Select label={told.personal} placeholder={told.asUser} data={options(words.filters)} value={personal} onChange={setPersonal} clearable />
        <Select label={told.review} placeholder={told.asUser} data={options(words.reviewPolicies)} value={review} onChange={setReview} clearable />
      </SimpleGrid>
      <Checkbox label={told.makeDefault} checked={isDefault} disabled={profile?.is_default} onChange={(event) => setDefault(event.currentTarget.checked)} />
    </DialogForm>
  );
}

function DeleteForm({ profile, onClose }: { profile: Profile; onClose: () => void }) {
  const remove = useDeleteProfile();
  const submit = () => remove.mutate(profile.id, { onSuccess: onClose });
  return (
    <DialogForm action={words.profiles.removeAction} destroys change={remove} onSubmit={submit} onCancel={onClose}>
      <Text size="sm" style={{ overflowWrap: "anywhere" }}>
        {words.profiles.removeAbout(profile.name)}
      </Text>
    </DialogForm>
  );
}
