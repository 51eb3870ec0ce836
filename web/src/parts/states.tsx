/** What stands where nothing can be shown yet, or at all: loading, empty, failed, not allowed. */
import { Button, Center, Skeleton, Stack, Text, VisuallyHidden } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { Problem } from "../api/problem";
import { shared } from "../texts/shared";
import { Icon, type IconName } from "./icons";
import { Prose } from "./Prose";

interface Said {
  icon: IconName;
  title: string;
  children?: ReactNode;
}

/** A few words in the middle of the place, with what can be done below them. */
export function Notice({ icon, title, children }: Said) {
  return (
    <Center py="xl" px="md" mih={220}>
      <Stack align="center" gap="xs" maw={480} ta="center">
        <Text c="dimmed" lh={0}>
          <Icon name={icon} size={36} />
        </Text>
        <Text fw={600}>{title}</Text>
        {typeof children === "string" ? (
          <Text c="dimmed" size="sm">
            <Prose>{children}</Prose>
          </Text>
        ) : (
          children
        )}
      </Stack>
    </Center>
  );
}

/** That there is nothing, and how there comes to be something. */
export function Empty({ title, children, icon = "empty" }: Omit<Said, "icon"> & { icon?: IconName }) {
  return (
    <Notice icon={icon} title={title}>
      {children}
    </Notice>
  );
}

/** Why something is not there, and the way out. */
export function Failed({ error, retry }: { error: unknown; retry?: () => void }) {
  const problem = error instanceof Problem ? error : null;
  if (problem?.status === 403 || problem?.kind === "out-of-reach") {
    return (
      <Notice icon="lock" title={shared.forbidden.title}>
        {shared.forbidden.text}
      </Notice>
    );
  }
  const gone = problem?.status === 404;
  return (
    <div role="alert">
      <Notice icon={gone ? "empty" : "warning"} title={gone ? shared.failed.gone : shared.failed.title}>
        <Text size="sm" c="dimmed">
          <Prose>{asSentence((error as Error).message)}</Prose>
        </Text>
        {problem?.requestId && !gone ? (
          <Text size="xs" c="dimmed" ff="monospace">
            {shared.failed.request(problem.requestId)}
          </Text>
        ) : null}
        {retry && !gone ? (
          <Button variant="default" onClick={retry}>
            {shared.failed.again}
          </Button>
        ) : null}
      </Notice>
    </div>
  );
}

/** A message of the server, which begins in lower case, as a sentence. */
function asSentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}

/** Grey lines as high as what will stand there. */
export function Lines({ count = 8, height = 36, gap = 8 }: { count?: number; height?: number; gap?: number }) {
  return (
    <Stack gap={gap} role="status">
      <VisuallyHidden>{shared.loading}</VisuallyHidden>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={height} />
      ))}
    </Stack>
  );
}

/** What a query brings, once it has; until then grey lines, or why it brings nothing. */
export function Loaded<T>({
  query,
  skeleton = <Lines />,
  children,
}: {
  query: UseQueryResult<T>;
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return <>{skeleton}</>;
}
