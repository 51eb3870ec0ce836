/** Removing something for good: what will be done, a reason, perhaps a word to type; then the receipt of what went. */
import { Button, Group, List, Stack, Table, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import { shared } from "../texts/shared";
import { Dialog, DialogForm } from "./Dialog";

/** What a removal tells of itself: rows by the places that they were removed from. */
export interface Receipt {
  removed: Record<string, number>;
  /** Where parts of what was removed still stand, quoted or said again, and in how many rows. */
  quoted?: Record<string, number>;
  /** What it could not reach. */
  remains?: string[];
}

interface Props {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What will be gone, and what will stay. */
  about: ReactNode;
  /** The words of the button. */
  action: string;
  /** A word that must be typed, for what nobody should do by mistake. */
  word?: string;
  withReason?: boolean;
  remove: (reason: string | null) => Promise<Receipt>;
  /** After the receipt was shown. */
  onDone: () => void;
}

export function Removal({ opened, onClose, title, about, action, word, withReason = true, remove, onDone }: Props) {
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const removal = useMutation({ mutationFn: () => remove(reason.trim() || null) });
  const close = () => {
    if (removal.isPending) return;
    if (removal.isSuccess) onDone();
    removal.reset();
    setReason("");
    setTyped("");
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title={removal.isSuccess ? shared.receipt.title : title}>
      {removal.isSuccess ? (
        <Stack>
          <ReceiptTable receipt={removal.data} />
          <Group justify="flex-end">
            <Button onClick={close} autoFocus>
              {shared.close}
            </Button>
          </Group>
        </Stack>
      ) : (
        <DialogForm
          action={action}
          destroys
          change={removal}
          disabled={word !== undefined && typed !== word}
          onSubmit={() => removal.mutate()}
          onCancel={close}
        >
          <Text size="sm" component="div">
            {about}
          </Text>
          {withReason ? (
            <TextInput label={shared.reason} value={reason} onChange={(event) => setReason(event.currentTarget.value)} maxLength={1000} data-autofocus />
          ) : null}
          {word ? (
            <TextInput label={shared.typeToConfirm(word)} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} autoComplete="off" />
          ) : null}
        </DialogForm>
      )}
    </Dialog>
  );
}

/** How many rows of each place went, and what of it may still be elsewhere. */
export function ReceiptTable({ receipt }: { receipt: Receipt }) {
  const quoted = Object.entries(receipt.quoted ?? {}).filter(([, count]) => count > 0);
  return (
    <Stack>
      <Removed of={receipt.removed} />
      {quoted.length ? (
        <div>
          <Text size="sm">{shared.receipt.quoted}</Text>
          <List size="sm" c="dimmed">
            {quoted.map(([place, count]) => (
              <List.Item key={place}>{shared.receipt.place(place, count)}</List.Item>
            ))}
          </List>
        </div>
      ) : null}
      {receipt.remains?.length ? (
        <div>
          <Text size="sm">{shared.receipt.remains}</Text>
          <List size="sm" c="dimmed">
            {receipt.remains.map((each) => (
              <List.Item key={each}>{each}</List.Item>
            ))}
          </List>
        </div>
      ) : null}
    </Stack>
  );
}

function Removed({ of: removed }: { of: Record<string, number> }) {
  const rows = Object.entries(removed).filter(([, count]) => count > 0);
  if (!rows.length) return <Text size="sm">{shared.receipt.nothing}</Text>;
  return (
    <Table verticalSpacing={4} aria-label={shared.receipt.removed}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{shared.receipt.removed}</Table.Th>
          <Table.Th className="number">{shared.receipt.count}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([place, count]) => (
          <Table.Tr key={place}>
            <Table.Td>{place.replaceAll("_", " ")}</Table.Td>
            <Table.Td className="number">{count.toLocaleString("en")}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
