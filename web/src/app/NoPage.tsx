/** That a path is no page's. */
import { Anchor } from "@mantine/core";
import { Link } from "wouter";

import { Notice } from "../parts/states";
import { shared } from "../texts/shared";

export function NoPage() {
  return (
    <Notice icon="empty" title={shared.noPage.title}>
      <Anchor component={Link} href="/">
        {shared.noPage.back}
      </Anchor>
    </Notice>
  );
}
