import { describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const ASK = { type: "approval", prompt: "Refund 40 EUR?" } as const;
const CITY = {
  type: "input",
  prompt: "Which city?",
  form: { fields: [{ key: "city", label: "City", type: "text", required: true }] },
} as const;

async function pair(test: TestServer, more: readonly object[] = [ASK, CITY]) {
  const body = { holds: more, thread_id: "t", run_id: "r" };
  return (await test.call("POST", "/v1/groups", { key: test.keys.agent, body })).body;
}

const answer = (
  test: TestServer,
  group: { id: string },
  entries: readonly object[],
  key = test.keys.operator,
) => test.call("POST", `/v1/groups/${group.id}/answer`, { key, body: { entries } });

function entriesOf(group: { holds: readonly { id: string }[] }) {
  const [first, second] = group.holds;
  return [
    { kind: "answer", hold_id: first?.id, action: "approve" },
    { kind: "answer", hold_id: second?.id, action: "submit", data: { city: "Bonn" } },
  ] as const;
}

describe("groups", () => {
  it("a group is placed whole, and each hold has a link of its own", async () => {
    await using test = await testServer();
    const group = await pair(test);
    expect(group).toMatchObject({ status: "open", thread_id: "t", run_id: "r", created_by: "refunder" });
    const urls = group.holds.map(({ review_url }: { review_url: string }) => review_url);
    expect(new Set(urls).size).toBe(2);
    for (const url of urls) expect((await test.server.app.request(url)).status).toBe(200);
  });

  it("G11 a group is not placed at all if one of its holds is invalid", async () => {
    await using test = await testServer();
    const body = { holds: [ASK, { type: "selection", prompt: "Which?" }] };
    expect(await test.call("POST", "/v1/groups", { key: test.keys.agent, body })).toMatchObject({
      status: 422,
    });
    expect((await test.call("GET", "/v1/holds", { key: test.keys.dev })).body.holds).toEqual([]);
  });

  it("a group is found again under the keys of its holds, unchanged", async () => {
    await using test = await testServer();
    const keyed = [
      { ...ASK, key: "a" },
      { ...CITY, key: "b" },
    ];
    const first = await test.call("POST", "/v1/groups", { key: test.keys.agent, body: { holds: keyed } });
    const again = await test.call("POST", "/v1/groups", { key: test.keys.agent, body: { holds: keyed } });
    expect(first.status).toBe(201);
    expect(again).toMatchObject({ status: 200, body: { id: first.body.id } });
    for (const { review_url } of again.body.holds) {
      expect((await test.server.app.request(review_url)).status).toBe(200);
    }
  });

  it("the holds of a group are answered in one commit or not at all", async () => {
    await using test = await testServer();
    const group = await pair(test);
    const [first, second] = entriesOf(group);
    const bad = await answer(test, group, [first, { ...second, data: {} }]);
    expect(bad).toMatchObject({ status: 422, body: { code: "invalid_answer", hold_id: group.holds[1].id } });
    expect(
      (await test.call("GET", `/v1/groups/${group.id}`, { key: test.keys.agent })).body.holds[0].status,
    ).toBe("open");
    const good = await answer(test, group, [first, second]);
    expect(good.body).toMatchObject({ status: "released", released_at: expect.any(String) });
    expect(good.body.holds.map(({ status }: { status: string }) => status)).toEqual(["decided", "decided"]);
  });

  it("G12 each entry of a group's answer is bound to what was shown, and keeps its own name", async () => {
    await using test = await testServer();
    const group = await pair(test);
    const [first, second] = entriesOf(group);
    const wrong = await answer(test, group, [{ ...first, shown: "sha256:other" }, second]);
    expect(wrong).toMatchObject({
      status: 409,
      body: { code: "shown_mismatch", hold_id: group.holds[0].id },
    });
    const shown = group.holds[0].digest;
    const cancel = {
      kind: "cancel",
      hold_id: group.holds[1].id,
      reason: "not needed",
      claimed: { name: "Eve" },
    };
    const { body } = await answer(test, group, [{ ...first, shown, claimed: { name: "Mallory" } }, cancel]);
    expect(body.holds[0].outcome).toMatchObject({ shown, by: { claimed: { name: "Mallory" } } });
    expect(body.holds[1].outcome).toMatchObject({
      kind: "cancelled",
      reason: "not needed",
      cancelled_by: { claimed: { name: "Eve" } },
    });
  });

  it("an answer to a group that leaves out open holds is refused with their names", async () => {
    await using test = await testServer();
    const group = await pair(test);
    const [first] = entriesOf(group);
    const reply = await answer(test, group, [first]);
    expect(reply.body).toMatchObject({ code: "group_incomplete", missing: [group.holds[1].id] });
  });

  it("a wait for a group lasts until its last hold has an outcome", async () => {
    await using test = await testServer();
    const group = await pair(test, [ASK, { ...CITY, timeout: "20s" }]);
    const waiting = test.call("GET", `/v1/groups/${group.id}?wait=60`, { key: test.keys.agent });
    await test.call("POST", `/v1/holds/${group.holds[0].id}/answer`, {
      key: test.keys.operator,
      body: { action: "reject" },
    });
    await test.clock.advance(20_000);
    expect((await waiting).body).toMatchObject({
      status: "released",
      holds: [{ status: "decided" }, { status: "expired" }],
    });
  });

  it("a wait for a group that times out returns the current state", async () => {
    await using test = await testServer();
    const group = await pair(test);
    const waiting = test.call("GET", `/v1/groups/${group.id}?wait=5`, { key: test.keys.agent });
    await test.clock.advance(5_000);
    expect((await waiting).body.status).toBe("open");
    expect(test.server.feed.waiting).toBe(0);
  });
});
