/** What calls of models may cost at most. */
import { Button, Group, Text, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";

import { useReadOnly } from "../../api/rights";
import { Wrong } from "../../parts/Dialog";
import { Part } from "../../parts/Part";
import { costs } from "../../texts/costs";
import { useCaps } from "./queries";

const words = costs.caps;

export function Caps({ month, conversation }: { month: string | null; conversation: string | null }) {
  const [caps, setCaps] = useState({ month: month ?? "", conversation: conversation ?? "" });
  const save = useCaps();
  const readOnly = useReadOnly();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ cap_month: caps.month.trim() || null, cap_conversation: caps.conversation.trim() || null });
  };
  const field = (name: "month" | "conversation") => (
    <TextInput
      label={words[name]}
      value={caps[name]}
      onChange={(event) => {
        save.reset();
        setCaps({ ...caps, [name]: event.currentTarget.value });
      }}
      leftSection="$"
      inputMode="decimal"
      maxLength={20}
      disabled={readOnly}
      w={180}
    />
  );
  return (
    <Part title={words.title} about={words.about}>
      <form onSubmit={submit}>
        <Group align="flex-end">
          {field("month")}
          {field("conversation")}
          <Button type="submit" loading={save.isPending} disabled={readOnly}>
            {words.save}
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {save.isSuccess ? words.saved : ""}
          </Text>
        </Group>
      </form>
      <Wrong error={save.error} />
    </Part>
  );
}
