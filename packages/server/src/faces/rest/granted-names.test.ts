/** G5: what a grant allowed carries nobody's name, through whichever face somebody looks. */

import { deciderWords } from "@holdpoint/protocol/client";
import { expect, test } from "vitest";
import { signedInPerson } from "../../testing/signed-in.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

/** The minter's name, which occurs nowhere else. */
const MINTER = "grace";

/** A hold that a grant decided, and the one that the grant was made from. */
async function granted(stage: TestServer) {
  const { call, keys } = stage;
  const check = async (amount: number) =>
    (await call("POST", "/v1/checks", { key: keys.agent, body: { tool: "pay", args: { amount } } })).body;
  const { hold: asked } = await check(5);
  const grant = { for: "2h", uses: 5, args: { amount: "any" } };
  const answer = { key: keys.otherOperator, body: { action: "approve", grant } };
  expect((await call("POST", `/v1/holds/${asked.id}/answer`, answer)).status).toBe(200);
  const { verdict, hold } = await check(6);
  expect([verdict, hold.id === asked.id]).toEqual(["allow", false]);
  return { asked: asked.id as string, id: hold.id as string };
}

/** Every object in a reply that is about this hold. */
function about(value: unknown, id: string): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => about(each, id));
  if (typeof value !== "object" || value === null) return [];
  if (Object.values(value).includes(id)) return [value];
  return Object.values(value).flatMap((each) => about(each, id));
}

test("a hold that a grant decided names nobody in any reply of any face, nor in the log (G5)", async () => {
  await using stage = await testServer();
  const { asked, id } = await granted(stage);
  const { call, keys, server } = stage;
  const operations = server.operationSets.flatMap((set) => set.operations);
  const reads = operations.filter(({ method, media }) => method === "GET" && media !== "text/event-stream");
  const seen = new Map<string, number>();
  for (const { path } of reads) {
    const url = path.replaceAll(/\{\w+\}/g, id);
    const { status, body } = await call("GET", url, { key: keys.admin });
    if (status !== 200) continue;
    const found = path.includes("{") ? [body] : about(body, id);
    if (found.length > 0) seen.set(path, found.length);
    expect(JSON.stringify(found), path).not.toContain(MINTER);
  }
  // The test would prove nothing if nothing showed the hold.
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining(["/v1/holds", "/v1/holds/{id}", "/v1/holds/{id}/events"]),
  );
  const { body: before } = await call("GET", `/v1/holds/${asked}`, { key: keys.admin });
  expect(before.outcome.by.name).toBe(MINTER);
});

test("the pages of a hold that a grant decided name nobody (G5)", async () => {
  await using stage = await testServer();
  const { asked, id } = await granted(stage);
  const person = await signedInPerson(stage, "ada");
  const page = async (hold: string) =>
    (await stage.server.app.request(`/console/holds/${hold}`, { headers: person.headers })).text();
  expect(await page(id)).not.toContain(MINTER);
  expect(await page(asked)).toContain("approve");
});

test("clients, the command line, adapters and chats say that a grant decided, whatever name comes with it (G5)", () => {
  expect(deciderWords({ kind: "grant", name: MINTER })).not.toContain(MINTER);
});
