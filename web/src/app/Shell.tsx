/** What stands around every page: the navigation, who is signed in, and the colours. */
import { ActionIcon, AppShell, Badge, Burger, Group, NavLink, Skeleton, Stack, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useEffect, useRef, type ReactNode } from "react";
import { Link, useLocation } from "wouter";

import type { Rights } from "../api/schema";
import { useSignOut } from "../api/session";
import { Icon } from "../parts/icons";
import { isTyping, searchField, TO_SEARCH } from "../parts/search";
import { shared } from "../texts/shared";
import { Mark } from "./Mark";
import { pages } from "./pages";
import { SchemeToggle } from "./SchemeToggle";

export function Shell({ me, children }: { me: Rights | undefined; children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure();
  const [location, go] = useLocation();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isTyping(document.querySelector("[role=dialog]"))) return;
      event.preventDefault();
      const field = searchField();
      if (field) field.select();
      else go("/memory", { state: TO_SEARCH });
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [go]);
  const main = useRef<HTMLElement>(null);
  const page = pages.find(({ path }) => location === path || location.startsWith(`${path}/`))?.path;
  const former = useRef(page);
  useEffect(() => {
    if (former.current !== page && former.current !== undefined) main.current?.focus();
    former.current = page;
    close();
  }, [page, close]);
  return (
    <AppShell
      header={{ height: { base: 52, sm: 0 } }}
      navbar={{ width: 216, breakpoint: "sm", collapsed: { mobile: !opened } }}
      padding={{ base: "sm", sm: "lg" }}
    >
      <a href="#main" className="skip" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        {shared.skip}
      </a>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="sm" gap="sm">
          <Burger opened={opened} onClick={toggle} size="sm" aria-label={shared.menu} aria-expanded={opened} />
          <Mark size={24} />
          <Text fw={650}>{shared.name}</Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={shared.navigation}>
        <Group gap="sm" px="xs" pb="md" pt="xs" visibleFrom="sm">
          <Mark size={28} />
          <Text fw={650} size="lg">
            {shared.name}
          </Text>
        </Group>
        <Stack gap={2} style={{ flex: 1, overflowY: "auto" }}>
          {pages.map(({ path, name, icon }) => (
            <NavLink
              key={path}
              component={Link}
              href={path}
              label={name}
              leftSection={<Icon name={icon} />}
              active={page === path}
              aria-current={page === path ? "page" : undefined}
              onClick={close}
              style={{ borderRadius: 8 }}
            />
          ))}
        </Stack>
        <Account me={me} />
      </AppShell.Navbar>
      <AppShell.Main ref={main} id="main" tabIndex={-1}>
        {children}
      </AppShell.Main>
    </AppShell>
  );
}

function Account({ me }: { me: Rights | undefined }) {
  const signOut = useSignOut();
  return (
    <Stack gap="xs" pt="sm">
      {me?.read_only ? (
        <Badge variant="default" fullWidth>
          {shared.readOnly}
        </Badge>
      ) : null}
      <Group gap={4} wrap="nowrap">
        {me ? (
          <Text size="sm" truncate flex={1} px="xs" title={shared.signedInAs(me.user)}>
            {me.user}
          </Text>
        ) : (
          <Skeleton height={16} flex={1} mx="xs" />
        )}
        <SchemeToggle />
        <Tooltip label={shared.signOut}>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={shared.signOut} onClick={() => signOut.mutate()}>
            <Icon name="leave" />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Stack>
  );
}
