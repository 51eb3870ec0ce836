/** One stream of what happened; beside it the access log, and background work. */
import { Tabs } from "@mantine/core";
import { useLocation, useRoute } from "wouter";

import { Page } from "../../parts/Page";
import { activity as words } from "../../texts/activity";
import { Events } from "./Events";
import { Jobs } from "./Jobs";
import { Record } from "./Record";
import { Review } from "./Review";

export default function ActivityPage() {
  const [, chosen] = useRoute("/:tab");
  const [, go] = useLocation();
  return (
    <Page title={words.title} about={words.about}>
      <Tabs value={chosen?.tab ?? "events"} onChange={(tab) => go(tab === "events" ? "/" : `/${tab}`)} keepMounted={false}>
        <Tabs.List mb="md">
          {Object.entries(words.tabs).map(([tab, name]) => (
            <Tabs.Tab key={tab} value={tab}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="events">
          <Events />
        </Tabs.Panel>
        <Tabs.Panel value="review">
          <Review />
        </Tabs.Panel>
        <Tabs.Panel value="record">
          <Record />
        </Tabs.Panel>
        <Tabs.Panel value="jobs">
          <Jobs />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
