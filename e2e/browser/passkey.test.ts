/** Passkeys in a real browser, with Chromium's own virtual authenticator. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addPasskeyIn, type Device, passkeyDevice } from "./authenticator.ts";
import { stage } from "./shared.ts";
import { DESKTOP, hydrated, type Placed, type Stage, violations } from "./support.ts";

let on: Stage;
/** Browsers make passkeys for names only, so the pages are opened as `localhost`. */
let origin: string;
beforeAll(async () => {
  on = await stage();
  origin = on.server.url.replace("127.0.0.1", "localhost");
  for (const id of ["ada", "bea"]) await on.call("POST", "/v1/people", { id, name: id });
  await on.call("POST", "/v1/teams", { id: "finance", members: ["ada", "bea"] });
});
afterAll(async () => {
  await on?.[Symbol.asyncDispose]();
});

const decision = { approve: [{ need: 1, from: ["team:finance"] }], strength: "passkey" };
const strongHold = (): Promise<Placed> =>
  on.place({ type: "approval", prompt: "Wire 10,000 EUR?", decision });

const device = () => passkeyDevice(on);
const addPasskey = (one: Device, name: string) => addPasskeyIn(one.page, on, origin, name);

async function linkFor(hold: Placed, to?: string): Promise<string> {
  const made = await on.call("POST", `/v1/holds/${hold.id}/links`, to === undefined ? {} : { to });
  const { pathname, search } = new URL(((await made.json()) as { url: string }).url);
  return origin + pathname + search;
}

test("a passkey is added in the settings, signs its owner in, and is removed", async () => {
  await using one = await device();
  const { page } = one;
  const called = await addPasskey(one, "ada");
  expect(await violations(page)).toEqual([]);
  await page.context().clearCookies();
  await page.goto(`${origin}/signin`);
  await hydrated(page);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL(`${origin}/console`);
  await page.goto(`${origin}/console/settings`);
  await page.getByRole("button", { name: `Remove ${called}` }).click();
  await page.getByText("No passkeys yet").waitFor();
});

test("the review page and the console ask for the passkey, and the vote has its strength", async () => {
  await using one = await device();
  const { page } = one;
  await addPasskey(one, "ada");
  const inConsole = await strongHold();
  await page.goto(`${origin}/console/holds/${inConsole.id}`);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  expect(await on.read(inConsole.id)).toMatchObject({
    status: "decided",
    votes: [{ person: "ada", strength: "passkey", door: "console" }],
  });
  // With a session the page of a link takes the same person's passkey.
  const withSession = await strongHold();
  await page.goto(await linkFor(withSession));
  await hydrated(page);
  expect((await page.context().cookies()).map(({ name }) => name)).toContain("holdpoint_session");
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  expect(await on.read(withSession.id)).toMatchObject({
    ...{ status: "decided", outcome: { by: { kind: "link", name: "ada" } } },
    votes: [{ person: "ada", strength: "passkey", door: "page" }],
  });
  // Without a session the passkey alone says who votes.
  await page.context().clearCookies();
  const byLink = await strongHold();
  await page.goto(await linkFor(byLink));
  await hydrated(page);
  await page.getByText("has to be confirmed with a passkey").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  expect(await on.read(byLink.id)).toMatchObject({
    status: "decided",
    votes: [{ person: "ada", strength: "passkey", door: "page" }],
  });
});

describe("an authenticator that does not do its part", () => {
  let one: Device;
  beforeAll(async () => {
    one = await device();
    await addPasskey(one, "ada");
  });
  afterAll(() => one[Symbol.asyncDispose]());

  test.each([
    ["a bad signature", { isBogusSignature: true }],
    ["no user verification", { isBadUV: true }],
    ["no user presence", { isBadUP: true }],
  ])("%s decides nothing, and the page says so", async (_what, bits) => {
    const { page, cdp, authenticatorId } = one;
    await cdp.send("WebAuthn.setResponseOverrideBits", { authenticatorId, ...bits });
    const hold = await strongHold();
    await page.goto(await linkFor(hold));
    await hydrated(page);
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText(/Nothing was (decided|sent)/).waitFor();
    expect(await on.read(hold.id)).toMatchObject({ status: "open", votes: [] });
  });
});

test("somebody else's passkey does not decide for the person whom the link was made for", async () => {
  await using one = await device();
  await addPasskey(one, "bea");
  const hold = await strongHold();
  const made = await on.call("POST", "/v1/keys", { name: `root-${hold.id}`, role: "admin" });
  const { secret } = (await made.json()) as { secret: string };
  const link = await fetch(`${on.server.url}/v1/holds/${hold.id}/links`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ to: "ada" }),
  });
  const { pathname, search } = new URL(((await link.json()) as { url: string }).url);
  await one.page.goto(origin + pathname + search);
  await hydrated(one.page);
  await one.page.getByRole("button", { name: "Approve" }).click();
  await one.page.getByText("it is not yours to decide").waitFor();
  expect(await on.read(hold.id)).toMatchObject({ status: "open", votes: [] });
});

test("a signature that was already used decides nothing", async () => {
  await using one = await device();
  const { page } = one;
  await addPasskey(one, "ada");
  const hold = await on.place({
    ...{ type: "approval", prompt: "Wire it twice?" },
    decision: { ...decision, approve: [{ need: 2, from: ["team:finance"] }] },
  });
  const posts: string[] = [];
  await page.route("**/answer?**", (route) => {
    posts.push(route.request().postData() ?? "");
    return route.continue();
  });
  await page.goto(await linkFor(hold));
  await hydrated(page);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("1 of 2 have agreed").waitFor();
  const again = await page.evaluate(async (body) => {
    const { pathname, search } = location;
    const headers = { accept: "application/json", "content-type": "application/x-www-form-urlencoded" };
    const reply = await fetch(`${pathname}/answer${search}`, { method: "POST", headers, body });
    return { status: reply.status, notice: ((await reply.json()) as { notice?: string }).notice };
  }, posts[0] ?? "");
  expect(again).toMatchObject({ status: 403, notice: expect.stringContaining("used before or has expired") });
});

test("without script the page is complete, and says that the passkey needs script", async () => {
  const page = await on.page({ ...DESKTOP, javaScriptEnabled: false });
  const hold = await strongHold();
  await page.goto(await linkFor(hold));
  await page.getByText("A passkey needs JavaScript").waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("nothing was sent").waitFor();
  await page.getByRole("button", { name: "Dismiss without deciding" }).waitFor();
  expect(await on.read(hold.id)).toMatchObject({ status: "open", votes: [] });
  await on.leave(page);
});
