/** What stands in place of a page that broke: one whose script did not come, from a server that is gone or was renewed, or
 * one with a mistake in it. The navigation stays, and another page begins anew. */
import { Component, type ReactNode } from "react";
import { useLocation } from "wouter";

import { Failed } from "../parts/states";
import { shared } from "../texts/shared";

export function Boundary({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  return <Caught key={location.split("/")[1]}>{children}</Caught>;
}

class Caught extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    // A script that failed to load is not asked for again before the document is.
    return <Failed error={new Error(shared.failed.broken)} retry={() => window.location.reload()} />;
  }
}
