/** The SDK's handle against a real server: placed, saved, answered, found again and acted on once. */

import { Holdpoint, isRefusal } from "@holdpoint/sdk";
import { testServer } from "holdpoint/testing";
import { expect, test } from "vitest";
import * as z from "zod";

const question = {
  key: "refund:1042",
  type: "approval",
  prompt: "Refund 80 EUR to Ada Park?",
  responseSchema: z.object({ cents: z.number() }),
} as const;

async function world() {
  const server = await testServer();
  const fetch = async (input: string, init: RequestInit) => server.server.app.request(input, init);
  const client = (role: "agent" | "operator") =>
    new Holdpoint({ url: "http://test", apiKey: server.keys[role], runtime: { fetch }, streaming: false });
  return { server, agent: client("agent"), later: client("agent"), person: client("operator") };
}

test("G10 a saved handle is found again after the answer, and its work runs once for all who find it", async () => {
  const { server, agent, later, person } = await world();
  await using _ = server;
  const saved = JSON.stringify(await agent.place(question));
  const { holdId } = JSON.parse(saved);
  await person.answer(holdId, { action: "approve", data: { edited_args: { cents: 7_000 } } });
  const runs: number[] = [];
  const refund = (cents = 8_000) => runs.push(cents);
  for (const handle of [
    later.hold(JSON.parse(saved), question),
    await later.find({ key: "refund:1042" }, question),
  ])
    expect(await handle?.runOnce(({ data }) => refund(data.editedArgs?.cents))).toBe(1);
  expect(runs).toEqual([7_000]);
});

test("G14 a rejected hold cannot be run through its handle", async () => {
  const { server, agent, person } = await world();
  await using _ = server;
  const placed = await agent.place(question);
  await person.answer(placed.id, { action: "reject", data: { feedback: "too much" } });
  const outcome = await placed.wait();
  expect(outcome.orThrow()).toMatchObject({ action: "reject", data: { feedback: "too much" } });
  const error = await placed.runOnce(() => "refunded").catch((reason: unknown) => reason);
  expect(isRefusal(error, "not_claimable")).toBe(true);
});
