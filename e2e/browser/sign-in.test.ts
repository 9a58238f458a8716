/** Every way in, and the pages about people, in a real browser: with a real identity provider and a real mail server. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { signInFrom } from "../../packages/server/src/configured.ts";
import { readSignIn } from "../../packages/server/src/system/sign-in-config.ts";
import { CLIENT, IdentityProvider } from "../../packages/server/src/testing/identity-provider.ts";
import { MailServer } from "../../packages/server/src/testing/mail-server.ts";
import type { TestServer } from "../../packages/server/src/testing/test-server.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { addPasskeyIn, passkeyDevice } from "./authenticator.ts";
import { served } from "./served.ts";
import { DESKTOP, hydrated, PHONE, type Stage, stageOn, violations } from "./support.ts";

let on: Stage;
let idp: IdentityProvider;
let mail: MailServer;
let server: TestServer;
let url: string;
let end: () => Promise<void>;

/** In this process, because the test moves the clock. */
beforeAll(async () => {
  const site = await served(async (at) => {
    [idp, mail] = [await IdentityProvider.start({ clientUrl: at }), await MailServer.start()];
    const channels = { mail: { kind: "email", url: mail.url, from: "hp@example.com" } } as const;
    const groups = {
      approvers: { role: "operator" as const, teams: [] },
      admins: { role: "admin" as const, teams: [] },
    };
    const corp = {
      issuer: idp.issuer,
      client_id: CLIENT.id,
      client_secret_env: "SECRET",
      label: "Example Corp",
      groups,
    };
    const env = { SECRET: CLIENT.secret };
    const read = readSignIn({ oidc: { corp } }, channels, env);
    return { signIn: signInFrom({ signIn: read, channels }, env) };
  });
  ({ url, server } = site);
  on = stageOn({ url, key: server.keys.admin }, await openBrowser());
  end = async () => {
    await on[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
    await mail[Symbol.asyncDispose]();
    await idp[Symbol.asyncDispose]();
  };
});
afterAll(() => end?.());
beforeEach(() => {
  on.trouble.length = 0;
});

let people = 0;
async function person(name: string, part: object = {}): Promise<string> {
  people += 1;
  const id = `${name.toLowerCase()}-${people}`;
  const made = await on.call("POST", "/v1/people", { id, name, ...part });
  expect(made.status).toBe(201);
  return id;
}

/** As an admin, with a one-time link. */
async function signedIn(page: Page, path: string, name = "root", role = "admin"): Promise<void> {
  await on.signIn(page, { name, role, path });
  await hydrated(page);
}

const waysIn = async (page: Page) => page.getByRole("main").getByRole("listitem").allInnerTexts();

test.each([
  ["a phone", PHONE],
  ["a desktop", DESKTOP],
])("the sign-in page shows every way in on %s, and breaks no rule of accessibility", async (_name, look) => {
  const page = await on.page(look);
  await page.goto(`${url}/signin`);
  await hydrated(page);
  expect((await waysIn(page)).map((text) => text.split("\n")[0])).toEqual([
    "Continue with Example Corp",
    "Sign in with a passkey",
    "E-mail address",
  ]);
  expect(await violations(page)).toEqual([]);
  // Loaded again, because colours that fade into each other have no contrast on the way.
  await page.emulateMedia({ colorScheme: "dark" });
  await page.reload();
  await hydrated(page);
  expect(await violations(page)).toEqual([]);
  expect(on.trouble).toEqual([]);
  await on.leave(page);
});

test("somebody signs in at the identity provider, and comes back to the page they wanted", async () => {
  const page = await on.page(DESKTOP);
  await page.goto(`${url}/console/rules`);
  await page.getByRole("link", { name: "Ways to sign in" }).click();
  idp.account = { sub: "ngozi", name: "Ngozi Okafor", groups: ["approvers"] };
  await page.goto(`${url}/signin?return=/console/rules`);
  await page.getByRole("link", { name: "Continue with Example Corp" }).click();
  await page.waitForURL(`${url}/console/rules`);
  await page.getByRole("heading", { name: "Rules", level: 1 }).waitFor();
  idp.account = { sub: "stranger", groups: ["nobody"] };
  await page.context().clearCookies();
  await page.goto(`${url}/signin`);
  await page.getByRole("link", { name: "Continue with Example Corp" }).click();
  await page.getByRole("alert").getByText("None of your groups gives you a role here").waitFor();
  expect(await violations(page)).toEqual([]);
  await on.leave(page);
});

test("a signed-in person links their account at the identity provider in the settings, and signs in with it", async () => {
  const id = await person("Oni");
  const page = await on.page(PHONE);
  await signedIn(page, "/console/settings", id, "operator");
  idp.account = { sub: "oni-at-corp", groups: ["approvers"] };
  await page.getByText("No account at an identity provider is linked.").waitFor();
  await page.getByRole("button", { name: "Link my account at Example Corp" }).click();
  await page.getByText("oni-at-corp").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.context().clearCookies();
  await page.goto(`${url}/signin?return=/console/settings`);
  await page.getByRole("link", { name: "Continue with Example Corp" }).click();
  await page.getByText("oni-at-corp").waitFor();
  expect(await page.locator("dd", { hasText: id }).count()).toBe(1);
  await on.leave(page);
});

test("without script, the identity provider and the link by e-mail work", async () => {
  await person("Mara", { email: "mara@example.com" });
  const page = await on.page({ ...PHONE, javaScriptEnabled: false });
  await page.goto(`${url}/signin`);
  await page.getByLabel("E-mail address").fill("mara@example.com");
  await page.getByRole("button", { name: "Send me a link" }).click();
  await page.getByRole("heading", { name: "Look into your mailbox" }).waitFor();
  await mail.received(1);
  const link = /http:\S+/.exec(mail.mails.at(-1)?.text ?? "")?.[0] ?? "";
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in to Holdpoint" }).click();
  await page.waitForURL(/\/console/);
  await page.getByText("Mara").or(page.getByText("mara-")).first().waitFor();
  await page.context().clearCookies();
  idp.account = { sub: "ngozi", groups: ["approvers"] };
  await page.goto(`${url}/signin`);
  await page.getByRole("link", { name: "Continue with Example Corp" }).click();
  await page.waitForURL(/\/console/);
  await page.context().close();
});

test("an admin adds a person, invites, edits, sends away, suspends and erases them, each after a second press", async () => {
  const page = await on.page(DESKTOP);
  await signedIn(page, "/console/people");
  await on.call("POST", "/v1/teams", { id: "finance" });
  await page.getByLabel("Person's name").fill("Lin Wu");
  await page.getByLabel("Id, as in").fill("lin");
  await page.getByRole("button", { name: "Add the person" }).click();
  await page.getByRole("heading", { name: "Lin Wu", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Make a one-time link" }).click();
  await page.getByText(`${url}/signin/link?token=`).waitFor();
  await page.getByLabel("E-mail address").fill("lin@example.com");
  await page.getByRole("checkbox", { name: "finance" }).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved.").waitFor();
  const sent = mail.mails.length;
  await page.getByRole("button", { name: "Send it by e-mail" }).click();
  await page.getByText("Sent to lin@example.com.").waitFor();
  expect(mail.mails).toHaveLength(sent + 1);
  await page.getByLabel("Away from").fill("2099-01-01T08:00");
  await page.getByLabel("Back at").fill("2099-01-08T08:00");
  await page.getByRole("button", { name: "Save the absence" }).click();
  await page.getByText("nobody stands in").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Suspend Lin Wu" }).click();
  const lin = async () => {
    const { people: all } = (await (await on.call("GET", "/v1/people")).json()) as {
      people: Record<string, unknown>[];
    };
    return all.find(({ id }) => id === "lin");
  };
  expect(await lin()).toMatchObject({ status: "active", email: "lin@example.com", teams: ["finance"] });
  await page.getByRole("button", { name: "Yes, suspend Lin Wu" }).click();
  await page.getByRole("button", { name: "Restore Lin Wu" }).waitFor();
  expect(await lin()).toMatchObject({ status: "suspended" });
  await page.getByRole("button", { name: "Erase Lin Wu" }).click();
  await page.getByRole("button", { name: "Yes, erase Lin Wu" }).click();
  await page.getByText("This person was erased.").waitFor();
  expect(await lin()).toMatchObject({ name: expect.stringMatching(/^erased-/) });
  expect(on.trouble).toEqual([]);
  await on.leave(page);
});

test("a person whom a key made known is confirmed in the console", async () => {
  await on.call("POST", "/v1/keys", { name: "kim", role: "operator" });
  const page = await on.page(PHONE);
  await signedIn(page, "/console/people/kim");
  await page.getByRole("button", { name: "Confirm kim" }).click();
  await page.getByRole("button", { name: "Yes, confirm kim" }).click();
  await page.getByText("not confirmed").waitFor({ state: "detached" });
  expect(await violations(page)).toEqual([]);
  await on.leave(page);
});

test("a team is added, gets members and is removed", async () => {
  await person("Uma");
  const page = await on.page(PHONE);
  await signedIn(page, "/console/people");
  await page.getByLabel("Name of a new team").fill("night");
  await page.getByRole("button", { name: "Add the team" }).click();
  await page.getByRole("button", { name: "Members of night" }).click();
  await page.getByRole("checkbox", { name: "Uma" }).check();
  await page.getByRole("button", { name: "Save the members" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "Members of night" });
  await row.getByText("Uma").waitFor();
  expect(await violations(page)).toEqual([]);
  await row.getByRole("button", { name: "Remove night" }).click();
  await row.getByRole("button", { name: "Yes, remove night" }).click();
  await row.waitFor({ state: "detached" });
  await on.leave(page);
});

test("an admin ends somebody's session, and all of them", async () => {
  const id = await person("Otto");
  const [first, second] = [await on.page(DESKTOP), await on.page(PHONE)];
  await signedIn(first, "/console", id, "operator");
  await signedIn(second, "/console", id, "operator");
  const page = await on.page(DESKTOP);
  await signedIn(page, `/console/people/${id}`);
  await page.getByText("Chrome on Linux").first().waitFor();
  await page.getByRole("button", { name: "End session" }).first().click();
  await page.getByRole("button", { name: "Yes, end session" }).click();
  await expect.poll(() => page.getByRole("button", { name: "End session" }).count()).toBe(1);
  await page.getByRole("button", { name: "End all sessions" }).click();
  await page.getByRole("button", { name: "Yes, end all sessions" }).click();
  await page.getByText("Nobody is signed in.").waitFor();
  await first.goto(`${url}/console`);
  await first.getByRole("heading", { name: "Sign in first" }).waitFor();
  for (const one of [first, second, page]) await on.leave(one);
});

test("a dangerous setting asks for a fresh sign-in, keeps what was entered, and goes on after it", async () => {
  idp.account = { sub: "boss", name: "Bo Ss", groups: ["admins"] };
  const page = await on.page(DESKTOP);
  await page.goto(`${url}/signin?return=/console/people`);
  await page.getByRole("link", { name: "Continue with Example Corp" }).click();
  await page.waitForURL(`${url}/console/people`);
  await server.clock.advance(10 * 60_000 + 1);
  await page.getByLabel("Person's name").fill("Late Comer");
  await page.getByRole("button", { name: "Add the person" }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again to go on" });
  await dialog.waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("this needs a sign-in within the last 10 minutes").waitFor();
  expect(await page.getByLabel("Person's name").inputValue()).toBe("Late Comer");
  await page.getByRole("button", { name: "Add the person" }).click();
  const opened = page.waitForEvent("popup");
  await dialog.getByRole("link", { name: "Sign in in a new window" }).click();
  const beside = await opened;
  await beside.getByRole("heading", { name: "Sign in again" }).waitFor();
  // The provider's time is real, so the server's goes back to it.
  idp.forge = (claims) => ({ ...claims, auth_time: Math.floor(server.clock.now() / 1_000) });
  await beside.getByRole("link", { name: "Continue with Example Corp" }).click();
  await beside.getByRole("heading", { name: "You are signed in" }).waitFor();
  await page.getByRole("heading", { name: "Late Comer", level: 1 }).waitFor();
  idp.forge = undefined;
  await beside.close();
  await on.leave(page);
});

test("a passkey that signs after the five minutes of its challenge decides nothing; the page says so, and the next one counts", async () => {
  await using device = await passkeyDevice(on);
  const { page } = device;
  const ada = await person("Ada");
  await addPasskeyIn(page, on, url, ada);
  const decision = { approve: [{ need: 1, from: [`person:${ada}`] }], strength: "passkey" };
  const body = { type: "approval", prompt: "Wire 10,000 EUR?", decision };
  const hold = (await server.call("POST", "/v1/holds", { key: server.keys.agent, body })).body;
  const made = await on.call("POST", `/v1/holds/${hold.id}/links`, { to: ada });
  await page.goto(((await made.json()) as { url: string }).url);
  await hydrated(page);
  await page.route("**/challenge?**", async (route) => {
    const response = await route.fetch();
    await server.clock.advance(5 * 60_000);
    await route.fulfill({ response });
  });
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText(/used before or has expired/).waitFor();
  expect(await on.read(hold.id)).toMatchObject({ status: "open", votes: [] });
  await page.unrouteAll();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Your answer was recorded").waitFor();
  expect(await on.read(hold.id)).toMatchObject({
    votes: [{ person: ada, strength: "passkey", door: "page" }],
  });
});
