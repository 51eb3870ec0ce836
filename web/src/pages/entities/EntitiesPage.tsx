/** Entities: the list, and beside it the graph of all, or what was stated of the chosen one. */
import { Box, Button, NavLink, Select, Stack, TextInput, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMemo, useState } from "react";
import { Link, Route, Switch, useRoute } from "wouter";

import type { Entity } from "../../api/schema";
import { Icon } from "../../parts/icons";
import { Page } from "../../parts/Page";
import { Empty, Failed, Lines, Loaded } from "../../parts/states";
import { Split } from "../../parts/Split";
import { entities as words } from "../../texts/entities";
import { EntityView } from "./EntityView";
import { Picture } from "./Picture";
import { useEntities, useRelations } from "./queries";

/** The path of the graph of all: on a narrow screen the list alone stands at the beginning. */
const ALL = "all";

export default function EntitiesPage() {
  const relations = useRelations();
  const [, chosen] = useRoute("/:entity");
  const [at, setAt] = useState<Date | null>(null);
  // One moment for the whole page, until it is opened again.
  const now = useMemo(() => new Date(), []);
  const all = (
    <Loaded query={relations} skeleton={<Lines count={1} height={560} />}>
      {(found) => <Picture relations={found} around={null} at={at} now={now} onMoment={setAt} />}
    </Loaded>
  );
  return (
    <Page title={words.title} about={words.about}>
      <Split label={words.list} detail={chosen?.entity} list={<List chosen={chosen?.entity} />}>
        <Switch>
          <Route path={`/${ALL}`}>{all}</Route>
          <Route path="/:entity">
            {({ entity }) => <EntityView key={entity} id={entity} relations={relations.data ?? []} at={at} now={now} onMoment={setAt} />}
          </Route>
          <Route>{all}</Route>
        </Switch>
      </Split>
    </Page>
  );
}

const kinds = Object.entries(words.kinds).map(([value, label]) => ({ value: value as Entity["kind"], label }));

function List({ chosen }: { chosen: string | undefined }) {
  const [kind, setKind] = useState<Entity["kind"] | null>(null);
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), 250);
  const entities = useEntities(kind, search);
  const found = entities.data?.pages.flat();
  return (
    <Stack gap="sm">
      <TextInput label={words.search} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} leftSection={<Icon name="search" size={16} />} type="search" />
      <Select label={words.kind} placeholder={words.allKinds} data={kinds} value={kind} onChange={setKind} clearable />
      <NavLink
        component={Link}
        href={`/${ALL}`}
        label={words.everything}
        leftSection={<Icon name="entity" />}
        active={chosen === undefined || chosen === ALL}
        aria-current={chosen === ALL ? "true" : undefined}
        style={{ borderRadius: 8 }}
      />
      {entities.isError && !found ? <Failed error={entities.error} retry={() => void entities.refetch()} /> : null}
      {!found && !entities.isError ? <Lines count={10} height={48} gap={4} /> : null}
      {found?.length === 0 ? <None fresh={kind === null && !search} /> : null}
      <Box>
        {found?.map((each) => (
          <NavLink
            key={each.id}
            component={Link}
            href={`/${each.id}`}
            active={each.id === chosen}
            aria-current={each.id === chosen ? "true" : undefined}
            label={
              <Text size="sm" fw={550} truncate title={each.name} dir="auto">
                {each.name}
              </Text>
            }
            description={`${words.kinds[each.kind]} · ${words.mentions(each.mentions ?? 0)}`}
            style={{ borderRadius: 8 }}
          />
        ))}
      </Box>
      {entities.hasNextPage ? (
        <Button variant="default" onClick={() => void entities.fetchNextPage()} loading={entities.isFetchingNextPage}>
          {words.more}
        </Button>
      ) : null}
    </Stack>
  );
}

function None({ fresh }: { fresh: boolean }) {
  const said = fresh ? words.empty : words.noneFit;
  return (
    <Empty icon="entity" title={said.title}>
      {said.text}
    </Empty>
  );
}
