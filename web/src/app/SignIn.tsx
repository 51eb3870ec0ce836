/** The way in: by the link that the server prints, or with a key, which is sent once and kept nowhere in the browser. */
import { Button, Center, Code, Group, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useEffect, useState, type FormEvent } from "react";

import { Problem } from "../api/problem";
import { useSignIn } from "../api/session";
import { shared } from "../texts/shared";
import { Mark } from "./Mark";

export function SignIn() {
  const words = shared.signIn;
  const [key, setKey] = useState("");
  const signIn = useSignIn();
  useEffect(() => {
    document.title = words.title;
  }, [words.title]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate(key.trim());
  };
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={440} shadow="sm">
        <form onSubmit={submit}>
          <Stack gap="md">
            <Group gap="sm">
              <Mark size={32} />
              <Title order={1}>{words.title}</Title>
            </Group>
            <Text size="sm">
              {words.byLink} <Code>{words.byLinkCommand}</Code> {words.byLinkEnd}
            </Text>
            <Text size="sm">{words.byKey}</Text>
            <PasswordInput
              label={words.key}
              description={
                <>
                  {words.makeKey} <Code>{words.makeKeyCommand}</Code>
                </>
              }
              value={key}
              onChange={(event) => setKey(event.currentTarget.value)}
              error={signIn.isError ? wrong(signIn.error) : null}
              autoComplete="off"
              spellCheck={false}
              required
              withAsterisk={false}
            />
            <Button type="submit" loading={signIn.isPending} fullWidth>
              {words.submit}
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}

function wrong(error: Error): string {
  return error instanceof Problem && error.status === 401 ? shared.signIn.wrong : error.message;
}
