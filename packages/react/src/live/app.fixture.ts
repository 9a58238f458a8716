/** The app around a page in tests: it asks its users, makes tokens for them, and its pages reach the server by `fetch`. */

import type { TestServer } from "holdpoint/testing";

const ASK = { type: "approval", prompt: "Refund 40 EUR?", metadata: { person: "u_1" } };

export const place = async (test: TestServer, more: object = {}, key = test.keys.app) =>
  (await test.call("POST", "/v1/holds", { key, body: { ...ASK, ...more } })).body;

export const mint = async (
  test: TestServer,
  body: object = { person: "u_1" },
  key = test.keys.app,
): Promise<string> => (await test.call("POST", "/v1/browser-tokens", { key, body })).body.token;

interface Called {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
}

export interface Served extends Disposable {
  readonly calls: readonly Called[];
}

/** The page's `fetch` reaches this server as `http://test`, until it is disposed of. */
export function servedBy(test: TestServer): Served {
  const real = globalThis.fetch;
  const calls: Called[] = [];
  globalThis.fetch = (async (input: string, init: RequestInit = {}) => {
    const { authorization = "" } = init.headers as Record<string, string>;
    calls.push({ method: init.method ?? "GET", path: new URL(input).pathname, authorization });
    return test.server.app.request(input.replace("http://test", ""), init);
  }) as typeof fetch;
  return {
    calls,
    [Symbol.dispose]() {
      globalThis.fetch = real;
    },
  };
}
