/** What a person knows better of an entity: its name and kind, another name of it, and that it is another one. */
import { Select, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useLocation } from "wouter";

import type { Entity } from "../../api/schema";
import { Dialog, DialogForm } from "../../parts/Dialog";
import { entities as words } from "../../texts/entities";
import { shared } from "../../texts/shared";
import { useChangeEntity, useMerge, useNamed } from "./queries";

export type Change = "rename" | "alias" | "merge";

interface Props {
  entity: Entity;
  change: Change | null;
  onClose: () => void;
}

export function Changes({ entity, change, onClose }: Props) {
  const [last, setLast] = useState(change);
  // While it closes, it is still what it was.
  if (change !== null && change !== last) setLast(change);
  const shown = change ?? last;
  const title = shown === "merge" ? words.merge.title(entity.name) : words[shown ?? "rename"].title;
  return (
    <Dialog opened={change !== null} onClose={onClose} title={title}>
      {shown === "rename" ? <Rename entity={entity} onClose={onClose} /> : null}
      {shown === "alias" ? <Alias entity={entity} onClose={onClose} /> : null}
      {shown === "merge" ? <Merge entity={entity} onClose={onClose} /> : null}
    </Dialog>
  );
}

const kinds = Object.entries(words.kinds).map(([value, label]) => ({ value: value as Entity["kind"], label }));

function Rename({ entity, onClose }: { entity: Entity; onClose: () => void }) {
  const [name, setName] = useState(entity.name);
  const [kind, setKind] = useState(entity.kind);
  const change = useChangeEntity(entity.id);
  const submit = () =>
    change.mutate({ name: name === entity.name ? null : name, kind: kind === entity.kind ? null : kind }, { onSuccess: onClose });
  return (
    <DialogForm action={words.rename.save} change={change} onSubmit={submit} onCancel={onClose} disabled={!name.trim()}>
      <TextInput label={words.rename.name} description={words.rename.about} value={name} onChange={(event) => setName(event.currentTarget.value)} data-autofocus />
      <Select label={words.rename.kind} data={kinds} value={kind} onChange={(next) => setKind(next ?? kind)} allowDeselect={false} />
    </DialogForm>
  );
}

function Alias({ entity, onClose }: { entity: Entity; onClose: () => void }) {
  const [alias, setAlias] = useState("");
  const change = useChangeEntity(entity.id);
  const submit = () => change.mutate({ alias }, { onSuccess: onClose });
  return (
    <DialogForm action={words.alias.save} change={change} onSubmit={submit} onCancel={onClose} disabled={!alias.trim()}>
      <TextInput label={words.alias.name} value={alias} onChange={(event) => setAlias(event.currentTarget.value)} data-autofocus autoComplete="off" />
    </DialogForm>
  );
}

function Merge({ entity, onClose }: { entity: Entity; onClose: () => void }) {
  const [into, setInto] = useState<{ value: string; label: string } | null>(null);
  const [typed, setTyped] = useState("");
  // What was chosen stands in the field, and is looked for no more.
  const wanted = typed === into?.label ? "" : typed;
  const [search] = useDebouncedValue(wanted, 200);
  const named = useNamed(search);
  // Nobody chooses one of the names that were found for other letters.
  const found = search === wanted && !named.isPlaceholderData ? named.data : undefined;
  const merge = useMerge(entity.id);
  const [, go] = useLocation();
  const others = (found ?? []).filter(({ id }) => id !== entity.id).map(({ id, name, kind }) => ({ value: id, label: `${name} · ${words.kinds[kind]}` }));
  const submit = () =>
    merge.mutate(into!.value, {
      onSuccess: ({ id }) => {
        onClose();
        go(`/${id}`);
      },
    });
  return (
    <DialogForm action={words.merge.save} change={merge} onSubmit={submit} onCancel={onClose} disabled={into === null}>
      <Text size="sm">{words.merge.about}</Text>
      <Select
        label={words.merge.into}
        data={into && !others.some(({ value }) => value === into.value) ? [into, ...others] : others}
        value={into?.value ?? null}
        onChange={(_, option) => setInto(option)}
        searchable
        searchValue={typed}
        onSearchChange={setTyped}
        // The server looked for it, by every name that an entity has.
        filter={({ options }) => options}
        nothingFoundMessage={found ? words.merge.noOther : shared.loading}
        data-autofocus
      />
    </DialogForm>
  );
}
