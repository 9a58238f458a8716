import { expect, test } from "vitest";
import { OpenIntentClient } from "./client.ts";
import { Transport } from "./transport.ts";

/** Waits for no time at all. */
const after = (_ms: number, wake: () => void) => {
  queueMicrotask(wake);
  return () => undefined;
};

/** A server that gives these replies, one after the other, and the last of them for ever. */
function serving(...replies: readonly (() => Response)[]) {
  const seen: { url: string; redirect: RequestInit["redirect"] }[] = [];
  const fetch = async (url: string, init: RequestInit = {}) => {
    seen.push({ url, redirect: init.redirect });
    return (replies[seen.length - 1] ?? replies.at(-1))?.() ?? Response.error();
  };
  const options = {
    ...{ url: "https://holdpoint.example", apiKey: "hp_key", agentId: "a" },
    runtime: { fetch, after },
  };
  return { seen, transport: new Transport(options), client: new OpenIntentClient(options) };
}

const failing = (status: number) => () => new Response("<html>", { status });
const fine = () => Response.json({ id: "i1" });

test.each([502, 504])(
  "a write is not sent again after a %i: the first try may have counted",
  async (status) => {
    const { seen, transport } = serving(failing(status), fine);
    await expect(transport.call("POST", "/intents", { body: {} })).rejects.toMatchObject({
      statusCode: status,
    });
    expect(seen).toHaveLength(1);
  },
);

test.each([
  ["a read", "GET", {}, 502],
  ["a read", "GET", {}, 504],
  ["a write that finds what it wrote", "POST", { repeatable: true }, 502],
  ["a write that the server says it did not take", "POST", {}, 503],
  ["a write that the server says it did not take", "POST", {}, 429],
] as const)("%s (%s %j) is sent again after a %i", async (_name, method, call, status) => {
  const { seen, transport } = serving(failing(status), fine);
  expect(await transport.call(method, "/intents", call)).toEqual({ id: "i1" });
  expect(seen).toHaveLength(2);
});

test.each([301, 302, 303, 307, 308])(
  "G9 a redirect (%i) is refused, so that the key goes to the configured address only",
  async (status) => {
    const elsewhere = () => new Response(null, { status, headers: { location: "https://evil.example/" } });
    const { seen, transport, client } = serving(elsewhere);
    await expect(transport.call("GET", "/intents")).rejects.toThrow(/redirects elsewhere/);
    await expect(client.stream("i1").next()).rejects.toThrow(/redirects elsewhere/);
    expect(seen.map(({ redirect }) => redirect)).toEqual(["manual", "manual"]);
  },
);
