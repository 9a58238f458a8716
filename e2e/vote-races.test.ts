import { expect, inject, test } from "vitest";
import { seedPeople } from "../packages/server/src/people-seed.ts";
import { testServer } from "../packages/server/src/testing/test-server.ts";
import { VOTERS, voterKeys } from "../packages/server/src/testing/voters.ts";
import { verifyLog } from "../packages/server/src/verify-log.ts";

const ROUNDS = inject("isFull") ? 60 : 6;

test("G1 fifty people who vote at once where two are needed give one outcome with two votes, and every other voter is told", async () => {
  await using server = await testServer({ keys: voterKeys() });
  const { engine } = server.server;
  const people = Object.fromEntries(VOTERS.map((name) => [name, {}]));
  await seedPeople(engine, { people, teams: { everybody: { members: VOTERS } } });
  for (let round = 0; round < ROUNDS; round += 1) {
    const decision = { approve: [{ need: 2, from: ["team:everybody"] }], reject: 50 };
    const body = { type: "approval", prompt: `Round ${round}?`, decision };
    const { body: hold } = await server.call("POST", "/v1/holds", { key: "key-of-agent", body });
    const replies = await Promise.all(
      VOTERS.map((name) =>
        server.call("POST", `/v1/holds/${hold.id}/answer`, {
          key: `key-of-${name}`,
          body: { action: "approve" },
        }),
      ),
    );
    const counted = replies.filter(({ status }) => status === 200);
    expect(counted.map(({ body: reply }) => reply.status).toSorted()).toEqual(["decided", "open"]);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(VOTERS.length - 2);
    const { body: final } = await server.call("GET", `/v1/holds/${hold.id}`, { key: "key-of-agent" });
    expect(final).toMatchObject({ status: "decided" });
    expect(final.votes).toHaveLength(2);
  }
  expect(await verifyLog(server.store)).toMatchObject({ breaks: [] });
});

test("a vote and the suspension of its voter at one instant end with the vote counted first, or not at all", async () => {
  await using server = await testServer({ keys: voterKeys() });
  const { engine } = server.server;
  const people = { v0: {}, v1: {} };
  await seedPeople(engine, { people, teams: { pair: { members: ["v0", "v1"] } } });
  const endings = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const decision = { approve: [{ need: 2, from: ["team:pair"] }] };
    const body = { type: "approval", prompt: `Round ${round}?`, decision };
    const { body: hold } = await server.call("POST", "/v1/holds", { key: "key-of-agent", body });
    const vote = (name: string) =>
      server.call("POST", `/v1/holds/${hold.id}/answer`, {
        key: `key-of-${name}`,
        body: { action: "approve" },
      });
    const suspend = (status: string) =>
      server.call("PATCH", "/v1/people/v0", { key: "key-of-root", body: { status } });
    await vote("v0");
    await Promise.all(
      round % 2 === 0 ? [suspend("suspended"), vote("v1")] : [vote("v1"), suspend("suspended")],
    );
    const { body: final } = await server.call("GET", `/v1/holds/${hold.id}`, { key: "key-of-agent" });
    endings.add(final.status);
    const voters = final.votes.map(({ person }: { person: string }) => person).toSorted();
    expect(voters).toEqual(final.status === "decided" ? ["v0", "v1"] : ["v1"]);
    await suspend("active");
  }
  expect(endings).toContain("decided");
});

test("a person who is suspended at the instant of their own vote has decided before, or does not count", async () => {
  await using server = await testServer({ keys: voterKeys() });
  await seedPeople(server.server.engine, {
    people: { v0: {}, v1: {} },
    teams: { pair: { members: ["v0", "v1"] } },
  });
  const suspend = (status: string) =>
    server.call("PATCH", "/v1/people/v0", { key: "key-of-root", body: { status } });
  for (let round = 0; round < ROUNDS; round += 1) {
    const decision = { approve: [{ need: 1 + (round % 2), from: ["team:pair"] }] };
    const body = { type: "approval", prompt: `Own vote ${round}?`, decision };
    const { body: hold } = await server.call("POST", "/v1/holds", { key: "key-of-agent", body });
    const vote = () =>
      server.call("POST", `/v1/holds/${hold.id}/answer`, { key: "key-of-v0", body: { action: "approve" } });
    await Promise.all(round % 3 === 0 ? [suspend("suspended"), vote()] : [vote(), suspend("suspended")]);
    const { body: after } = await server.call("GET", `/v1/holds/${hold.id}`, { key: "key-of-agent" });
    expect(after.votes).toHaveLength(after.status === "decided" ? 1 : 0);
    expect(after.status === "decided" && round % 2 === 1).toBe(false);
    await suspend("active");
  }
  // The holds of the pair are checked in the background after each change of a person; a row may be newer than the log just read.
  const breaks = async () => (await verifyLog(server.store)).breaks;
  await expect.poll(breaks, { timeout: 30_000 }).toEqual([]);
});
