/** The public API, typed by the OpenAPI document. Every page asks through `api`, and gets an answer or a Problem. */
import createClient from "openapi-fetch";

import { Problem } from "./problem";
import type { paths } from "./schema";

/** The path under which the page is served, without a slash at its end. */
export const root = new URL(document.baseURI).pathname.replace(/\/$/, "");

export const api = createClient<paths>({ baseUrl: root, querySerializer: { array: { style: "form", explode: true } } });

api.use({
  async onResponse({ response }) {
    if (!response.ok) throw await Problem.of(response);
  },
  onError({ error }) {
    return error instanceof Problem ? error : Problem.offline();
  },
});

/** What an operation answered: `await got(api.GET("/v1/runs"))`. Throws Problem. */
export async function got<T>(answer: Promise<{ data?: T }>): Promise<T> {
  return (await answer).data as T;
}

/** For queries that are looks at memories, each of which the access log tells: that a window got the focus, or the
 * network came back, is none. */
export const look = { refetchOnWindowFocus: false, refetchOnReconnect: false } as const;
