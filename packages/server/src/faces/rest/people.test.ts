import { describe, expect, it } from "vitest";
import { seedPeople } from "../../people-seed.ts";
import { rewriteLinks } from "../../testing/rewrite-links.ts";
import { type TestReply, type TestServer, testServer } from "../../testing/test-server.ts";
import { verifyLog } from "../../verify-log.ts";

const ASK = { type: "approval", prompt: "Refund 40 EUR?" } as const;
const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };

async function withAda(): Promise<TestServer> {
  const test = await testServer();
  const body = { id: "ada", name: "Ada Park", email: "ada@example.com" };
  expect(await test.call("POST", "/v1/people", { key: test.keys.admin, body })).toMatchObject({
    status: 201,
  });
  return test;
}

const patch = (test: TestServer, id: string, body: object) =>
  test.call("PATCH", `/v1/people/${id}`, { key: test.keys.admin, body });

describe("people on the wire", () => {
  it("a person gets a generated id and the role operator by default, and is listed as added", async () => {
    await using test = await testServer();
    const { admin } = test.keys;
    await test.call("POST", "/v1/teams", { key: admin, body: { id: "finance", name: "Finance" } });
    const body = { name: "Ada Park", teams: ["finance"], time_zone: "Europe/Berlin", language: "de" };
    const added = await test.call("POST", "/v1/people", { key: admin, body });
    expect(added.body).toMatchObject({
      ...{ ...body, role: "operator", status: "active", verified: true, source: "api", accounts: [] },
      id: expect.stringMatching(/^person_/),
    });
    const { body: listed } = await test.call("GET", "/v1/people", { key: test.keys.auditor });
    expect(listed.people).toEqual([added.body]);
    const { body: teams } = await test.call("GET", "/v1/teams", { key: test.keys.operator });
    expect(teams.teams).toMatchObject([{ id: "finance", name: "Finance", members: [added.body.id] }]);
    const removed = await test.call("DELETE", "/v1/teams/finance", { key: admin });
    expect(removed).toMatchObject({ status: 200, body: { id: "finance" } });
    expect((await test.call("GET", "/v1/teams", { key: admin })).body.teams).toEqual([]);
  });

  it("a person's accounts and absence are returned in the form in which they were sent", async () => {
    await using test = await withAda();
    await test.call("POST", "/v1/people", { key: test.keys.admin, body: { id: "grace", name: "Grace" } });
    const account = { platform: "slack", tenant: "T1", user_id: "U1" };
    const linked = await test.call("POST", "/v1/people/ada/accounts", {
      key: test.keys.admin,
      body: account,
    });
    expect(linked).toMatchObject({
      status: 201,
      body: { accounts: [{ ...account, linked_by: "key:root" }] },
    });
    const away = { from: "2026-01-01T00:00:00.000Z", until: "2026-01-02T00:00:00.000Z", delegate: "grace" };
    const mine = await test.call("PATCH", "/v1/people/ada", {
      key: test.keys.operator,
      body: { out_of_office: away },
    });
    expect(mine.body).toMatchObject({ out_of_office: away });
    expect((await patch(test, "ada", { out_of_office: null })).body).not.toHaveProperty("out_of_office");
    const backwards = { out_of_office: { ...away, until: away.from } };
    expect(await patch(test, "ada", backwards)).toMatchObject({
      status: 422,
      body: { code: "invalid_body" },
    });
    for (const bad of [{ time_zone: "Mars/Olympus" }, { language: "??" }, { email: "nobody" }])
      expect(await patch(test, "ada", bad)).toMatchObject({ status: 422, body: { code: "invalid_body" } });
  });

  it("an erased person becomes a pseudonym, and the log still verifies", async () => {
    await using test = await withAda();
    const erased = await test.call("POST", "/v1/people/ada/erase", { key: test.keys.admin });
    expect(erased.body).toMatchObject({
      id: "ada",
      name: expect.stringMatching(/^erased-/),
      status: "suspended",
    });
    expect(erased.body).not.toHaveProperty("email");
    expect(JSON.stringify(await test.store.events({ after: 0, limit: 100 }))).not.toContain("Ada Park");
    expect(await verifyLog(test.store)).toMatchObject({ breaks: [] });
  });
});

describe("a suspended person", () => {
  it("a suspended person's key, session and link stop working at once, and a restored person signs in again", async () => {
    await using test = await withAda();
    const { admin, operator, agent } = test.keys;
    const me = () => test.call("GET", "/v1/me", { key: operator });
    const signIn = await test.call("POST", "/v1/sign-ins", { key: admin, body: { name: "ada" } });
    const signedIn = await test.server.app.request(signIn.body.url, { headers: browser });
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const session = () => test.call("GET", "/v1/me", { headers: { cookie } });
    const { body: hold } = await test.call("POST", "/v1/holds", { key: agent, body: ASK });
    const links = `/v1/holds/${hold.id}/links`;
    const byName = await test.call("POST", links, { key: admin, body: { to: "ada" } });
    const byMail = await test.call("POST", links, { key: admin, body: { to: "Ada@example.com" } });
    const opens = async (url: string) => (await test.server.app.request(url, { headers: browser })).status;
    const all = async () => [
      (await me()).status,
      (await session()).status,
      await opens(byName.body.url),
      await opens(byMail.body.url),
    ];
    expect(await all()).toEqual([200, 200, 200, 200]);
    await patch(test, "ada", { status: "suspended" });
    const refused = await all();
    expect(refused.slice(0, 2)).toEqual([401, 401]);
    expect(refused.slice(2).every((status) => status >= 400)).toBe(true);
    await patch(test, "ada", { status: "active" });
    expect(await all()).toEqual([200, 401, 200, 200]);
  });

  const erase = (test: TestServer) => test.call("POST", "/v1/people/ada/erase", { key: test.keys.admin });
  const suspend = (test: TestServer) => patch(test, "ada", { status: "suspended" });

  /** A hold with one link for each of these recipients. */
  async function withLinks(test: TestServer, recipients: readonly string[]) {
    const { admin, agent } = test.keys;
    const { body: hold } = await test.call("POST", "/v1/holds", { key: agent, body: ASK });
    const urls: URL[] = [];
    for (const to of recipients) {
      const made = await test.call("POST", `/v1/holds/${hold.id}/links`, { key: admin, body: { to } });
      urls.push(new URL(made.body.url));
    }
    const each = (call: (url: URL) => Promise<{ readonly status: number }>) =>
      Promise.all(urls.map(async (url) => (await call(url)).status));
    return {
      opened: () => each(({ href }) => Promise.resolve(test.server.app.request(href, { headers: browser }))),
      answered: () =>
        each(({ pathname, search }) => {
          const path = `${pathname.replace("/review/", "/reviews/")}/respond${search}`;
          return test.call("POST", path, { body: { action: "approve" } });
        }),
    };
  }

  it.each<[string, readonly ((test: TestServer) => Promise<TestReply>)[]]>([
    ["suspended", [suspend]],
    ["suspended and then erased", [suspend, erase]],
    ["suspended and then loses the address", [suspend, (test) => patch(test, "ada", { email: null })]],
    ["erased without having been suspended", [erase]],
  ])(
    "links for a person who is %s neither open nor answer, however they name the person",
    async (_what, steps) => {
      await using test = await withAda();
      const { opened, answered } = await withLinks(test, ["ada", "person:ada", "Ada@example.com"]);
      expect(await opened()).toEqual([200, 200, 200]);
      for (const step of steps) expect((await step(test)).status).toBe(200);
      expect(await opened()).toEqual([401, 401, 401]);
      expect(await answered()).toEqual([401, 401, 401]);
      expect(await verifyLog(test.store)).toMatchObject({ breaks: [] });
    },
  );

  it("a link stays refused for the person it was made for when somebody else gets the address", async () => {
    await using test = await withAda();
    const { opened } = await withLinks(test, ["ada@example.com"]);
    await erase(test);
    const grace = { id: "grace", name: "Grace", email: "ada@example.com" };
    await test.call("POST", "/v1/people", { key: test.keys.admin, body: grace });
    expect(await opened()).toEqual([401]);
  });

  it("a link that an earlier version made for a person's address opens until the person is suspended", async () => {
    await using test = await withAda();
    const { opened } = await withLinks(test, ["ada@example.com"]);
    await rewriteLinks(test, ({ personId: _new, ...link }) => link);
    expect(await opened()).toEqual([200]);
    await suspend(test);
    expect(await opened()).toEqual([401]);
  });
});

describe("people from the configuration", () => {
  const people = { ada: { name: "Ada Park", email: "ada@example.com" }, lin: { role: "admin" as const } };
  const teams = { finance: { name: "Finance", members: ["ada", "lin"] } };
  const apiKeys = [
    { secret: "s", role: "operator", name: "grace", workspace: "default" },
    { secret: "t", role: "dev", name: "dev", workspace: "default" },
  ] as const;

  it("people from the configuration are marked as such, configured keys stand for confirmed people, and a restart adds nothing", async () => {
    await using test = await testServer();
    const { engine } = test.server;
    await seedPeople(engine, { people, teams, apiKeys });
    const listed = async () => (await test.call("GET", "/v1/people", { key: test.keys.admin })).body.people;
    expect(await listed()).toMatchObject([
      { id: "ada", name: "Ada Park", source: "config", teams: ["finance"], role: "operator" },
      { id: "grace", source: "key", verified: true },
      { id: "lin", source: "config", role: "admin" },
    ]);
    const before = await test.store.lastPosition();
    await seedPeople(engine, { people, teams, apiKeys });
    expect(await test.store.lastPosition()).toBe(before);
  });

  it("the configuration overrides an admin's change of what it names, and restores a removed team", async () => {
    await using test = await testServer();
    const { engine } = test.server;
    await test.call("POST", "/v1/people", {
      key: test.keys.admin,
      body: { id: "ada", name: "A.", language: "de" },
    });
    await seedPeople(engine, { people, teams, apiKeys });
    await test.call("DELETE", "/v1/teams/finance", { key: test.keys.admin });
    await test.call("POST", "/v1/people/lin/erase", { key: test.keys.admin });
    await seedPeople(engine, { people, teams: { finance: { members: ["ada"] } }, apiKeys });
    const { body } = await test.call("GET", "/v1/people", { key: test.keys.admin });
    expect(body.people[0]).toMatchObject({ name: "Ada Park", language: "de", teams: ["finance"] });
    const many = Array.from({ length: 3 }, () => seedPeople(engine, { people: { mo: {} } }));
    await Promise.all(many);
    await expect(seedPeople(engine, { teams: { x: { members: ["eve"] } } })).rejects.toThrow(
      "does not exist",
    );
  });

  it("the log names the person for a signed-in session as it does for a key", async () => {
    await using test = await withAda();
    const signIn = await test.call("POST", "/v1/sign-ins", { key: test.keys.admin, body: { name: "ada" } });
    await test.server.app.request(signIn.body.url, { headers: browser });
    const events = await test.store.events({ after: 0, limit: 100 });
    expect(events.filter(({ type }) => type === "session.started").map(({ actor }) => actor)).toEqual([
      "session:ada",
    ]);
  });
});
