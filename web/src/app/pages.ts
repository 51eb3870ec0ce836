/** The pages that there are, in the order of the navigation. A page is a folder of `pages/`, loaded when it is opened. */
import { lazy, type ComponentType } from "react";

import { activity } from "../texts/activity";
import { agents } from "../texts/agents";
import { costs } from "../texts/costs";
import { entities } from "../texts/entities";
import { importing } from "../texts/importing";
import { memory } from "../texts/memory";
import { overview } from "../texts/overview";
import { runs } from "../texts/runs";
import { settings } from "../texts/settings";
import type { IconName } from "../parts/icons";

export interface Entry {
  /** Its path, which its own paths begin with. */
  path: string;
  name: string;
  icon: IconName;
  Page: ComponentType;
}

export const pages: Entry[] = [
  { path: "/overview", name: overview.title, icon: "overview", Page: lazy(() => import("../pages/overview/OverviewPage")) },
  { path: "/memory", name: memory.title, icon: "palace", Page: lazy(() => import("../pages/memory/MemoryPage")) },
  { path: "/entities", name: entities.title, icon: "entity", Page: lazy(() => import("../pages/entities/EntitiesPage")) },
  { path: "/agents", name: agents.title, icon: "agent", Page: lazy(() => import("../pages/agents/AgentsPage")) },
  { path: "/runs", name: runs.title, icon: "run", Page: lazy(() => import("../pages/runs/RunsPage")) },
  { path: "/activity", name: activity.title, icon: "activity", Page: lazy(() => import("../pages/activity/ActivityPage")) },
  { path: "/costs", name: costs.title, icon: "coins", Page: lazy(() => import("../pages/costs/CostsPage")) },
  { path: "/import", name: importing.title, icon: "inbox", Page: lazy(() => import("../pages/import/ImportPage")) },
  { path: "/settings", name: settings.title, icon: "gear", Page: lazy(() => import("../pages/settings/SettingsPage")) },
];
