/** The way in: by the link that the server prints, or with a key, which is sent once and kept nowhere in the browser. */
import { Button, Center, Group, Modal, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useEffect, useState, type FormEvent } from "react";

import { Problem } from "../api/problem";
import { useSignIn } from "../api/session";
import { Prose } from "../parts/Prose";
import { shared } from "../texts/shared";
import { Mark } from "./Mark";

const ABOVE_ALL = 1000;
/** So that Escape does not close the form that stands behind. */
const KEEPS_OPEN = { "data-mantine-stop-propagation": "true" };

export function SignIn() {
  const { title } = shared.signIn;
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={440} shadow="sm">
        <Stack gap="md">
          <Group gap="sm">
            <Mark size={32} />
            <Title order={1}>{title}</Title>
          </Group>
          <Ways />
        </Stack>
      </Paper>
    </Center>
  );
}

/** The way back in where the session is over: it hides the page, which stays as it is, with all that was typed. */
export function SignInAgain({ opened }: { opened: boolean }) {
  const words = shared.signIn;
  return (
    <Modal
      opened={opened}
      onClose={() => undefined}
      title={words.over}
      centered
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      overlayProps={{ backgroundOpacity: 1, color: "var(--mantine-color-body)" }}
      zIndex={ABOVE_ALL}
      transitionProps={{ duration: 0 }}
    >
      <Stack gap="md">
        <Text size="sm">{words.overAbout}</Text>
        <Ways />
      </Stack>
    </Modal>
  );
}

function Ways() {
  const words = shared.signIn;
  const [key, setKey] = useState("");
  const signIn = useSignIn();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate(key.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">
          <Prose>{words.byLink}</Prose>
        </Text>
        <Text size="sm">{words.byKey}</Text>
        <PasswordInput
          label={words.key}
          description={<Prose>{words.makeKey}</Prose>}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          error={signIn.isError ? wrong(signIn.error) : null}
          autoComplete="off"
          spellCheck={false}
          required
          withAsterisk={false}
          data-autofocus
          {...KEEPS_OPEN}
        />
        <Button type="submit" loading={signIn.isPending} fullWidth {...KEEPS_OPEN}>
          {words.submit}
        </Button>
      </Stack>
    </form>
  );
}

function wrong(error: Error): string {
  return error instanceof Problem && error.status === 401 ? shared.signIn.wrong : error.message;
}
