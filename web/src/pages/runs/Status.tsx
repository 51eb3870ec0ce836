/** How a run stands, in a word and a colour. */
import { Badge } from "@mantine/core";

import type { Run } from "../../api/schema";
import { runs as words } from "../../texts/runs";

const colors: Record<Run["status"], string> = { running: "blue.8", completed: "moss.8", failed: "red.8", cancelled: "gray.7" };

export function Status({ status }: { status: Run["status"] }) {
  return (
    <Badge color={colors[status]} size="sm" variant="filled" style={{ flexShrink: 0 }}>
      {words.status[status]}
    </Badge>
  );
}
