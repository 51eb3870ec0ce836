/** A drawer in its conversation, with the turns before and after it. */
import { ActionIcon, Anchor, Badge, Button, Card, Center, Group, Menu, Stack, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";

import { api, got } from "../../api/client";
import { useConversations } from "../../api/conversations";
import type { Drawer } from "../../api/schema";
import { useMe } from "../../api/session";
import { Ago, onDay } from "../../parts/Ago";
import { Icon } from "../../parts/icons";
import { bare, toAccesses, toEntity } from "../../parts/links";
import { PointerChip } from "../../parts/PointerChip";
import { Removal } from "../../parts/Removal";
import { Lines, Loaded } from "../../parts/states";
import { namesOf } from "../../parts/tags";
import { Verbatim } from "../../parts/Verbatim";
import { memory as words } from "../../texts/memory";
import { isDrawer, useTalk } from "./queries";
import styles from "./Talk.module.css";

/** What stands for a text that was redacted. */
const REDACTED = "[redacted]";

export function Talk({ at }: { at: string }) {
  const talk = useTalk(at);
  const client = useQueryClient();
  const [removing, setRemoving] = useState<Drawer | null>(null);
  return (
    <section aria-label={words.talk.label}>
      <Loaded query={talk} skeleton={<Lines count={6} height={96} />}>
        {(drawers) => (
          <Stack gap="sm">
            <Heading of={drawers} />
            <More onClick={() => void talk.fetchPreviousPage()} there={talk.hasPreviousPage} busy={talk.isFetchingPreviousPage}>
              {words.talk.earlier}
            </More>
            {drawers.map((drawer, index) => (
              <div key={drawer.id}>
                {drawer.closet !== drawers[index - 1]?.closet ? (
                  <Text size="xs" c="dimmed" fw={600} mb={6} mt={index ? "sm" : 0}>
                    {drawer.closet}
                  </Text>
                ) : null}
                <Turn drawer={drawer} chosen={isDrawer(at) && bare(drawer.pointer) === at} remove={() => setRemoving(drawer)} />
              </div>
            ))}
            <More onClick={() => void talk.fetchNextPage()} there={talk.hasNextPage} busy={talk.isFetchingNextPage}>
              {words.talk.later}
            </More>
          </Stack>
        )}
      </Loaded>
      <Removal
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        title={words.redaction.title}
        about={words.redaction.about}
        action={words.redaction.action}
        remove={(reason) => got(api.POST("/v1/memories/{memory}/redact", { params: { path: { memory: removing!.id } }, body: { reason } }))}
        onDone={() => void client.invalidateQueries({ queryKey: ["palace"] })}
      />
    </section>
  );
}

/** The conversation's title, or else its date, and its own id. */
function Heading({ of }: { of: Drawer[] }) {
  const first = of[0];
  const stored = useConversations(first ? [first.conversation] : []);
  if (!first) return null;
  const { title } = stored.get(first.conversation) ?? {};
  const day = onDay(new Date(first.at));
  return (
    <div>
      <Title order={2} dir="auto" style={{ overflowWrap: "anywhere" }}>
        {title ?? words.talk.of(day)}
      </Title>
      <Text size="xs" c="dimmed" className={styles.id} title={first.conversation}>
        {title ? `${day} · ${first.conversation}` : first.conversation}
      </Text>
    </div>
  );
}

function More({ there, busy, onClick, children }: { there: boolean; busy: boolean; onClick: () => void; children: string }) {
  if (!there) return null;
  return (
    <Center>
      <Button variant="default" size="xs" onClick={onClick} loading={busy}>
        {children}
      </Button>
    </Center>
  );
}

function Turn({ drawer, chosen, remove }: { drawer: Drawer; chosen: boolean; remove: () => void }) {
  const card = useRef<HTMLDivElement>(null);
  const readOnly = useMe().data?.read_only ?? false;
  useEffect(() => {
    if (chosen) card.current?.scrollIntoView({ block: "center" });
  }, [chosen]);
  const redacted = drawer.text === REDACTED;
  return (
    <Card ref={card} withBorder padding="sm" className={styles.turn} data-chosen={chosen} aria-current={chosen ? "true" : undefined}>
      <Group justify="space-between" gap="xs" mb={6} wrap="nowrap" align="flex-start">
        <Group gap="xs">
          <Text size="sm" fw={600} dir="auto" style={{ overflowWrap: "anywhere" }}>
            {drawer.speaker}
          </Text>
          {drawer.role === "assistant" && drawer.speaker !== drawer.role ? (
            <Badge size="xs" variant="default">
              {words.talk.assistant}
            </Badge>
          ) : null}
          <Text size="xs" c="dimmed">
            <Ago at={drawer.at} as="minute" />
          </Text>
        </Group>
        <Group gap={4} wrap="nowrap">
          <PointerChip pointer={drawer.pointer} preview={false} />
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={words.talk.actions(drawer.pointer)}>
                <Icon name="dots" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item component={Link} href={toAccesses(drawer.id)} leftSection={<Icon name="person" size={16} />}>
                {words.talk.accesses}
              </Menu.Item>
              {redacted ? null : (
                <Menu.Item c="var(--mantine-color-error)" leftSection={<Icon name="trash" size={16} />} onClick={remove} disabled={readOnly}>
                  {readOnly ? words.talk.readOnly : words.talk.redact}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Group>
      {redacted ? (
        <Text size="sm" c="dimmed" fs="italic">
          {words.talk.redacted}
        </Text>
      ) : (
        <Text size="sm" component="div">
          <Verbatim text={drawer.text} />
        </Text>
      )}
      <Tags of={drawer.tags ?? []} />
    </Card>
  );
}

/** Whom and what a turn names, each a way to the page Entities. */
export function Tags({ of }: { of: string[] }) {
  const names = namesOf(of);
  if (!names.length) return null;
  return (
    <Group gap="sm" mt={6} style={{ rowGap: 2 }} role="group" aria-label={words.talk.names}>
      <Text c="dimmed" lh={0} component="span">
        <Icon name="entity" size={13} />
      </Text>
      {names.map((name) => (
        <Anchor key={name} component={Link} href={toEntity(name)} size="xs" c="dimmed" dir="auto">
          {name}
        </Anchor>
      ))}
    </Group>
  );
}
