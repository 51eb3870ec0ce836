/** What became of a write that did not simply store something: it waits for review, or the same is stored already. */
import { Alert } from "@mantine/core";

import type { WriteReceipt } from "../api/schema";
import { shared } from "../texts/shared";
import { Prose } from "./Prose";

export function Receipt({ receipt }: { receipt: WriteReceipt | undefined }) {
  if (!receipt || receipt.status === "stored") return null;
  return (
    <Alert color="yellow" variant="light" role="status">
      <Prose>{receipt.status === "duplicate" ? shared.receipts.duplicate : shared.receipts.held}</Prose>
    </Alert>
  );
}
