/** A decision that requires a passkey, through every door that takes one: what counts, and what never does. */

import { describe, expect, test } from "vitest";
import { seedPeople } from "../../people-seed.ts";
import { Authenticator } from "../../testing/authenticator.ts";
import { addPasskey, signedInPerson } from "../../testing/signed-in.ts";
import { type TestCall, type TestReply, type TestServer, testServer } from "../../testing/test-server.ts";

interface Asked {
  readonly id: string;
  readonly public_key: { readonly challenge: string };
}
interface Signed {
  readonly id: string;
  readonly credential: object;
}
interface Door {
  challenge(): Promise<TestReply>;
  answer(passkey: Signed): Promise<TestReply>;
}
type Opened = (test: TestServer, holdId: string) => Promise<Door>;

const action = "approve";

function byApi(test: TestServer, id: string, as: Pick<TestCall, "key" | "headers">): Door {
  const post = (verb: string, body: object) => test.call("POST", `/v1/holds/${id}/${verb}`, { ...as, body });
  return {
    challenge: () => post("challenge", { action }),
    answer: (passkey) => post("answer", { action, passkey }),
  };
}

/** The link was made for ada. */
async function byPage(test: TestServer, id: string, headers: TestCall["headers"] = {}): Promise<Door> {
  const made = await test.call("POST", `/v1/holds/${id}/links`, {
    key: test.keys.admin,
    body: { to: "ada" },
  });
  const { pathname, search } = new URL(made.body.url);
  const form = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
  const post = (verb: string, fields: Record<string, string>) =>
    test.call("POST", `${pathname}/${verb}${search}`, {
      headers: { ...headers, ...form },
      body: new URLSearchParams({ _action: action, ...fields }).toString(),
    });
  return {
    challenge: () => post("challenge", {}),
    answer: (passkey) => post("answer", { _passkey: JSON.stringify(passkey) }),
  };
}

const DOORS: readonly (readonly [string, string, Opened])[] = [
  ["the review page without a session", "page", (test, id) => byPage(test, id)],
  [
    "the review page with a session",
    "page",
    async (test, id) => byPage(test, id, (await signedInPerson(test)).headers),
  ],
  ["the console", "console", async (test, id) => byApi(test, id, await signedInPerson(test))],
  ["the API with a key", "rest", async (test, id) => byApi(test, id, { key: test.keys.operator })],
];

/** Ada's passkey and grace's, and a hold that needs both of them. */
async function scene(opened: Opened) {
  const test = await testServer();
  const people = { ada: {}, grace: {}, root: { role: "admin" } } as const;
  await seedPeople(test.server.engine, { people, teams: { finance: { members: ["ada", "grace"] } } });
  const device = await addPasskey(await signedInPerson(test));
  const colleague = await addPasskey(await signedInPerson(test, "grace"));
  const decision = { approve: [{ need: 2, from: ["team:finance"] }], strength: "passkey" };
  const body = { type: "approval", prompt: "Wire 10,000 EUR?", decision };
  const { id } = (await test.call("POST", "/v1/holds", { key: test.keys.agent, body })).body;
  const door = await opened(test, id);
  const challenge = await door.challenge();
  expect(challenge.status, JSON.stringify(challenge.body)).toBe(200);
  const votes = async () =>
    (await test.call("GET", `/v1/holds/${id}`, { key: test.keys.operator })).body.votes;
  return {
    ...{ test, door, device, colleague, votes, asked: challenge.body as Asked },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const signedBy = ({ asked }: Scene, credential: object): Signed => ({ id: asked.id, credential });

/** Each sends a signature that must not count. */
const REFUSED: Readonly<Record<string, (on: Scene) => Promise<TestReply>>> = {
  "a bad signature": (on) => {
    const forged = new Authenticator().get(on.asked.public_key);
    const { id } = on.device;
    return on.door.answer(signedBy(on, { ...forged, id, rawId: id }));
  },
  "a signature without user verification": (on) =>
    on.door.answer(signedBy(on, on.device.get(on.asked.public_key, { verified: false }))),
  "a signature without user presence": (on) =>
    on.door.answer(signedBy(on, on.device.get(on.asked.public_key, { present: false }))),
  "a colleague's passkey": (on) => on.door.answer(signedBy(on, on.colleague.get(on.asked.public_key))),
  "a passkey that nobody registered": (on) =>
    on.door.answer(signedBy(on, new Authenticator().get(on.asked.public_key))),
  "an expired challenge": async (on) => {
    const signed = signedBy(on, on.device.get(on.asked.public_key));
    await on.test.clock.advance(5 * 60_000);
    return on.door.answer(signed);
  },
  "a signature of another challenge": async (on) => {
    const other = (await on.door.challenge()).body as Asked;
    return on.door.answer(signedBy(on, on.device.get(other.public_key)));
  },
};

describe.each(DOORS)("a decision that requires a passkey, through %s,", (_name, name, opened) => {
  test("counts the person's own signature once, and refuses a replay of it", async () => {
    await using on = await scene(opened);
    const signed = signedBy(on, on.device.get(on.asked.public_key));
    expect(await on.door.answer(signed)).toMatchObject({ status: 200 });
    const counted = [{ person: "ada", strength: "passkey", door: name }];
    expect(await on.votes()).toMatchObject(counted);
    expect(await on.door.answer(signed)).toMatchObject({ status: 403 });
    expect(await on.votes()).toMatchObject(counted);
  });

  test.each(Object.entries(REFUSED))("refuses %s", async (_what, send) => {
    await using on = await scene(opened);
    expect(await send(on)).toMatchObject({ status: 403 });
    expect(await on.votes()).toEqual([]);
  });
});
