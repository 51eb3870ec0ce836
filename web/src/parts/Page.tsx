/** The frame of a page: its heading, which is the document's title too, and what can be done beside it. */
import { Box, Group, Text, Title } from "@mantine/core";
import { useEffect, type ReactNode } from "react";

import { shared } from "../texts/shared";

interface Props {
  title: string;
  about?: string;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, about, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · ${shared.name}`;
  }, [title]);
  return (
    <Box>
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        <Box>
          <Title order={1}>{title}</Title>
          {about ? (
            <Text c="dimmed" size="sm">
              {about}
            </Text>
          ) : null}
        </Box>
        {actions}
      </Group>
      {children}
    </Box>
  );
}
