/** An item of a list beside which the chosen one is shown. */
import { Group, NavLink, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";

interface Props {
  href: string;
  name: string;
  chosen: boolean;
  /** What stands beside the name, such as a state. */
  mark?: ReactNode;
  /** What stands below it, such as a time. */
  about: ReactNode;
}

export function ListLink({ href, name, chosen, mark, about }: Props) {
  return (
    <NavLink
      component={Link}
      href={href}
      active={chosen}
      aria-current={chosen ? "true" : undefined}
      label={
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text size="sm" fw={550} truncate title={name} dir="auto">
            {name}
          </Text>
          {mark}
        </Group>
      }
      description={about}
      style={{ borderRadius: 8 }}
    />
  );
}
