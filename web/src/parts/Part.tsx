/** A part of a page under a heading of its own. */
import { Card, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

import { Prose } from "./Prose";

export function Part({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <Card withBorder component="section" aria-label={title} padding="lg">
      <Title order={2} size="h4">
        {title}
      </Title>
      {about ? (
        <Text c="dimmed" size="sm" mb="md">
          <Prose>{about}</Prose>
        </Text>
      ) : null}
      {children}
    </Card>
  );
}
