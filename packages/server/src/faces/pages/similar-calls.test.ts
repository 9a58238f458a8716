/** Similar calls that a person allows together with an approval, by the plain pages' form. */

import { describe, expect, test } from "vitest";
import { signedInPerson } from "../../testing/signed-in.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const push = { command: "git push", cwd: "/repo", repository: "/repo" };

const SIMILAR: [string, string] = ["_grant_similar", "approve"];

async function check({ call, keys }: TestServer, args: object, tool = "Bash") {
  return (await call("POST", "/v1/checks", { key: keys.agent, body: { tool, args } })).body;
}

/** Posts the page's own form, with the button that is named. */
async function press(stage: TestServer, args: object, fields: readonly [string, string][], tool = "Bash") {
  const { hold } = await check(stage, args, tool);
  const person = await signedInPerson(stage);
  const at = `/console/holds/${hold.id}`;
  const page = await (await stage.server.app.request(at, { headers: person.headers })).text();
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const form = new URLSearchParams([...hidden.map(([, name = "", value = ""]) => [name, value]), ...fields]);
  const reply = await stage.server.app.request(`${at}/answer`, {
    method: "POST",
    headers: { ...person.headers, "content-type": "application/x-www-form-urlencoded" },
    body: form.toString(),
  });
  return { page, status: reply.status, text: await reply.text() };
}

describe("the button for similar calls in this repository", () => {
  test("says its terms in words first, approves, and allows other calls in the same repository only", async () => {
    await using stage = await testServer();
    const { page, status } = await press(stage, push, [SIMILAR]);
    expect(page).toContain(
      "refunder may call Bash up to 20 times within 2 hours without asking, only while “repository” is “/repo”",
    );
    expect(page.indexOf("is “/repo”")).toBeLessThan(page.indexOf("_grant_similar"));
    // The Enter key presses the first button of a form, which must not allow more than this call.
    expect(page.indexOf('value="approve"')).toBeLessThan(page.indexOf("_grant_similar"));
    expect(status).toBe(303);
    expect(await check(stage, push)).toMatchObject({ verdict: "allow" });
    const granted = await check(stage, { ...push, command: "git fetch" });
    expect(granted).toMatchObject({ verdict: "allow", hold: { outcome: { by: { kind: "grant" } } } });
    expect(await check(stage, { ...push, repository: "/other" })).toMatchObject({ verdict: "ask" });
    expect(await check(stage, { ...push, command: "git fetch" }, "Write")).toMatchObject({ verdict: "ask" });
    await stage.clock.advance(2 * 3_600_000);
    expect(await check(stage, { ...push, command: "git log" })).toMatchObject({ verdict: "ask" });
  });

  test("is not there where no repository is known, and allows nothing when it is sent all the same", async () => {
    await using stage = await testServer();
    const { page, status } = await press(stage, { command: "ls" }, [SIMILAR]);
    expect(page).not.toContain("_grant_similar");
    expect(status).toBe(422);
    expect((await stage.call("GET", "/v1/grants", { key: stage.keys.operator })).body.grants).toEqual([]);
  });

  test("allows no write below .git or to an agent's settings, and is not offered for one", async () => {
    await using stage = await testServer();
    const write = { file_path: "/repo/a.ts", diff: "+a", repository: "/repo" };
    const hook = {
      file_path: "/repo/.git/hooks/pre-commit",
      diff: "+b",
      repository: "/repo",
      touches: ".git",
    };
    const pressed = await press(stage, write, [SIMILAR], "Write");
    expect(pressed.status).toBe(303);
    expect(pressed.page).toContain("Files of Git, of coding agents and of Holdpoint are not included");
    expect(await check(stage, { ...write, file_path: "/repo/b.ts" }, "Write")).toMatchObject({
      verdict: "allow",
    });
    expect(await check(stage, hook, "Write")).toMatchObject({ verdict: "ask" });
    const { page, status } = await press(stage, hook, [SIMILAR], "Write");
    expect(page).not.toContain("_grant_similar");
    expect(status).toBe(422);
  });

  test("is not there where the rule that asks lets nobody allow similar calls", async () => {
    await using stage = await testServer();
    const rules = [{ tools: ["Bash"], verdict: "ask", grantable: false }];
    await stage.call("PUT", "/v1/rules", { key: stage.keys.admin, body: { rules } });
    const { page, status } = await press(stage, push, [SIMILAR]);
    expect(page).not.toContain("_grant_similar");
    expect(status).toBe(422);
  });
});

test("the plain page's own terms for similar calls count as they were chosen", async () => {
  await using stage = await testServer();
  const chosen: [string, string][] = [
    ["_action", "approve"],
    ["_grant_for", "1h"],
    ["_grant_uses", "1"],
    ["_grant_arg.command", "any"],
  ];
  expect((await press(stage, push, chosen)).status).toBe(303);
  expect(await check(stage, { ...push, cwd: "/repo/docs" })).toMatchObject({ verdict: "ask" });
  expect(await check(stage, { ...push, command: "git fetch" })).toMatchObject({ verdict: "allow" });
  expect(await check(stage, { ...push, command: "git log" })).toMatchObject({ verdict: "ask" });
});
