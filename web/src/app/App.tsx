/** The whole application: colours, queries, who is signed in, and the pages by their paths. */
import "@mantine/core/styles.css";
import "./base.css";

import { Center, MantineProvider } from "@mantine/core";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { Suspense } from "react";
import { Redirect, Route, Router, Switch } from "wouter";

import { root } from "../api/client";
import { Problem } from "../api/problem";
import { ME, useMe } from "../api/session";
import { Failed, Lines } from "../parts/states";
import { Boundary } from "./Boundary";
import { NoPage } from "./NoPage";
import { pages } from "./pages";
import { Shell } from "./Shell";
import { SignIn, SignInAgain } from "./SignIn";
import { theme, variables } from "./theme";

const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
// For the style by which Mantine's dialogs keep the page behind them from scrolling.
setNonce(nonce);

/** Where the session is over, asking who is signed in shows the way back in, over the page as it stands. */
function leaveWhereOver(error: Error, key: readonly unknown[] | undefined): void {
  if (error instanceof Problem && error.status === 401 && key?.[0] !== ME[0]) void queries.invalidateQueries({ queryKey: ME });
}

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, { queryKey }) => leaveWhereOver(error, queryKey) }),
  mutationCache: new MutationCache({ onError: (error, _wanted, _kept, { options }) => leaveWhereOver(error, options.mutationKey) }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (times, error) => times < 2 && error instanceof Problem && (error.status === 0 || error.status >= 500),
      retryDelay: 400,
    },
  },
});

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queries}>
        <Router base={root}>
          <Inside />
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** What stands alone where the server does not say who is signed in. */
function Gone(of: { error: unknown; retry: () => void }) {
  return (
    <Center component="main" mih="100dvh">
      <Failed {...of} />
    </Center>
  );
}

function Inside() {
  const me = useMe();
  const nobody = me.error instanceof Problem && me.error.status === 401;
  if (me.isError && !me.data) return nobody ? <SignIn /> : <Gone error={me.error} retry={() => void me.refetch()} />;
  return (
    <Shell me={me.data}>
      <SignInAgain opened={nobody} />
      <Boundary>
        <Suspense fallback={<Lines />}>
          {me.data ? (
            <Switch key={me.data.user}>
              <Route path="/">
                <Redirect to={pages[0]!.path} replace />
              </Route>
              {pages.map(({ path, Page }) => (
                <Route key={path} path={path} nest>
                  <Page />
                </Route>
              ))}
              <Route>
                <NoPage />
              </Route>
            </Switch>
          ) : (
            <Lines />
          )}
        </Suspense>
      </Boundary>
    </Shell>
  );
}
