/** The access log: whether its chain holds, and the accesses of one memory. */
import { Alert, Button, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { useSearchParams } from "wouter";

import type { Chain } from "../../api/schema";
import { useReadOnly } from "../../api/rights";
import { Accesses } from "../../parts/Accesses";
import { Wrong } from "../../parts/Dialog";
import { MEMORY } from "../../parts/links";
import { Part } from "../../parts/Part";
import { Lines, Loaded } from "../../parts/states";
import { activity } from "../../texts/activity";
import { useAccesses, useChain, useSeal } from "./queries";

const words = activity.record;

export function Record() {
  const chain = useChain();
  const seal = useSeal();
  const readOnly = useReadOnly();
  return (
    <Stack maw={860}>
      <Part title={words.chain} about={words.about}>
        <Loaded query={chain} skeleton={<Lines count={3} height={28} />}>
          {(found) => (
            <Stack gap="sm">
              <State of={found} />
              <Text size="sm">{words.counts(found)}</Text>
              {found.head ? (
                <Text size="sm" component="div">
                  {words.head} <Code style={{ overflowWrap: "anywhere" }}>{found.head}</Code>
                </Text>
              ) : null}
            </Stack>
          )}
        </Loaded>
        <Wrong error={seal.error} />
        <Group mt="md">
          <Button onClick={() => void chain.refetch()} loading={chain.isFetching}>
            {words.verify}
          </Button>
          <Button variant="default" onClick={() => seal.mutate()} loading={seal.isPending} disabled={readOnly || chain.isFetching}>
            {words.seal}
          </Button>
        </Group>
      </Part>
      <OfOne key={useSearchParams()[0].get(MEMORY)} />
    </Stack>
  );
}

function State({ of: chain }: { of: Chain }) {
  const faults = [
    chain.broken === null || chain.broken === undefined ? null : words.broken(chain.broken),
    chain.mislisted ? words.mislisted(chain.mislisted) : null,
  ].filter(Boolean);
  return (
    <Alert color={faults.length ? "red" : "moss"} variant="light" role={faults.length ? "alert" : "status"}>
      {faults.length ? faults.join(". ") : words.whole}
    </Alert>
  );
}

/** By the address, so that other pages lead to the accesses of what they show. */
function OfOne() {
  const [parameters, setParameters] = useSearchParams();
  const memory = parameters.get(MEMORY);
  const [typed, setTyped] = useState(memory ?? "");
  const accesses = useAccesses(memory);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setParameters({ [MEMORY]: typed.trim() });
  };
  return (
    <Part title={words.memory} about={words.memoryAbout}>
      <form onSubmit={submit}>
        <Group align="flex-end" mb="md">
          <TextInput label={words.id} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} flex={1} miw={220} maxLength={60} spellCheck={false} />
          <Button type="submit" variant="default" disabled={!typed.trim()}>
            {words.show}
          </Button>
        </Group>
      </form>
      {memory ? (
        <Loaded query={accesses} skeleton={<Lines count={3} />}>
          {(found) => (found.length ? <Accesses of={found} /> : <Text c="dimmed">{words.none}</Text>)}
        </Loaded>
      ) : null}
    </Part>
  );
}
