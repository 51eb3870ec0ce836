/** A small window over the page, and the form in it: what it asks, why it failed, and its buttons. */
import { Alert, Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";

import { shared } from "../texts/shared";
import { Prose } from "./Prose";

interface Props {
  opened: boolean;
  onClose: () => void;
  title: string;
  size?: string;
  /** Whether a click beside it leaves it open, as it holds what is not shown again. */
  keep?: boolean;
  children: ReactNode;
}

export function Dialog({ opened, onClose, title, size = "md", keep = false, children }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={size}
      centered
      closeOnClickOutside={!keep}
      closeOnEscape={!keep}
      closeButtonProps={{ "aria-label": shared.close }}
    >
      {children}
    </Modal>
  );
}

interface Form {
  /** The words of the button that does it. */
  action: string;
  /** Whether it destroys something. */
  destroys?: boolean;
  change: { isPending: boolean; error: Error | null };
  disabled?: boolean;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}

export function DialogForm({ action, destroys = false, change, disabled = false, onSubmit, onCancel, children }: Form) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Stack gap="sm">
        {children}
        <Wrong error={change.error} />
        <Group justify="flex-end" mt="xs">
          <Button variant="default" onClick={onCancel} disabled={change.isPending}>
            {shared.cancel}
          </Button>
          <Button type="submit" color={destroys ? "red.8" : undefined} loading={change.isPending} disabled={disabled}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Why something was not done. */
export function Wrong({ error }: { error: Error | null }) {
  return error ? (
    <Alert color="red" variant="light" style={{ overflowWrap: "anywhere" }}>
      <Prose>{error.message}</Prose>
    </Alert>
  ) : null;
}
