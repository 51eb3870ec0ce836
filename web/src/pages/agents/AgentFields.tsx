/** The fields of an agent that people fill in. */
import { Stack, Textarea, TextInput } from "@mantine/core";

import { agents as words } from "../../texts/agents";

interface Fields {
  name: string;
  prompt: string;
  onName: (name: string) => void;
  onPrompt: (prompt: string) => void;
}

export function AgentFields({ name, prompt, onName, onPrompt }: Fields) {
  return (
    <Stack gap="sm">
      <TextInput label={words.form.name} value={name} onChange={(event) => onName(event.currentTarget.value)} data-autofocus autoComplete="off" />
      <Textarea
        label={words.form.prompt}
        description={words.form.promptAbout}
        value={prompt}
        onChange={(event) => onPrompt(event.currentTarget.value)}
        rows={5}
      />
    </Stack>
  );
}
