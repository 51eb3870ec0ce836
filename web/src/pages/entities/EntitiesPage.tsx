/** Entities: the list, and beside it the graph of all, or what was stated of the chosen one. */
import { Box, Button, NavLink, Select, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useMemo, useState } from "react";
import { Link, Redirect, Route, Switch, useRoute, useSearchParams } from "wouter";

import type { Entity } from "../../api/schema";
import { Icon } from "../../parts/icons";
import { NAMED, toPage } from "../../parts/links";
import { ListLink } from "../../parts/ListLink";
import { Page } from "../../parts/Page";
import { SEARCH } from "../../parts/search";
import { Empty, Failed, Lines, Loaded } from "../../parts/states";
import { Split } from "../../parts/Split";
import { entities as words } from "../../texts/entities";
import { About } from "./About";
import { EntityView } from "./EntityView";
import { Picture } from "./Picture";
import { useEntities, useEntity, useRelations } from "./queries";

/** The path of the graph of all: on a narrow screen the list alone stands at the beginning. */
const ALL = "all";
/** The path of what is known about the user. */
const ME = "me";

export default function EntitiesPage() {
  const name = useSearchParams()[0].get(NAMED);
  return name ? <Named name={name} /> : <All />;
}

/** The way to an entity by a name of it, as the tags of a turn have it. */
function Named({ name }: { name: string }) {
  // A name with a slash is known without it too, and would be another path with it.
  const entity = useEntity(name.replaceAll("/", " "));
  return (
    <Page title={words.title} about={words.about}>
      <Loaded query={entity}>{({ id }) => <Redirect to={`/${id}`} replace />}</Loaded>
    </Page>
  );
}

function All() {
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
          <Route path={`/${ME}`}>
            <About name={null} />
          </Route>
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
      <TextInput label={words.search} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} leftSection={<Icon name="search" size={16} />} type="search" {...SEARCH} />
      <Select label={words.kind} placeholder={words.allKinds} data={kinds} value={kind} onChange={setKind} clearable />
      <NavLink
        component={Link}
        href={`/${ME}`}
        label={words.aboutMe}
        leftSection={<Icon name="person" />}
        active={chosen === ME}
        aria-current={chosen === ME ? "true" : undefined}
        style={{ borderRadius: 8 }}
      />
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
          <ListLink
            key={each.id}
            href={`/${each.id}`}
            name={each.name}
            chosen={each.id === chosen}
            about={`${words.kinds[each.kind]} · ${words.mentions(each.mentions ?? 0)}`}
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
      <Text size="sm" c="dimmed">
        {said.text}
      </Text>
      {fresh ? (
        <Button component={Link} href={toPage("/import")} variant="default">
          {words.empty.go}
        </Button>
      ) : null}
    </Empty>
  );
}
