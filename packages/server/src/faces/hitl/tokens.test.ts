import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { TABLE } from "../../domains.ts";
import { openSqliteStore } from "../../store/sqlite/open.ts";
import { temporaryFolder } from "../../store/suite/temporary.ts";
import { sameSecret } from "../../system/digest.ts";
import { systemIds } from "../../system/ids.ts";
import { APPROVAL, CONFIRMATION, INPUT, openCase, TAPPED } from "../../testing/hitl-cases.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const WRONG = { status: 401, body: { error: "invalid_token" } };
const INLINE = { ...CONFIRMATION, inline: true };

describe("tokens", () => {
  test("HP-029 the link is the page's address with the token in its query", async () => {
    const { hitl } = await openCase(server);
    const url = new URL(hitl.review_url);
    expect(url.pathname).toBe(`/review/${hitl.case_id}`);
    expect([...url.searchParams.keys()]).toEqual(["token"]);
  });

  test("HP-030 ten thousand tokens of 43 characters are all different and share no prefix", () => {
    const tokens = Array.from({ length: 10_000 }, () => systemIds.token());
    expect(tokens.every((token) => /^[A-Za-z0-9_-]{43}$/.test(token))).toBe(true);
    expect(new Set(tokens).size).toBe(10_000);
    expect(new Set(tokens.map((token) => token.slice(0, 1))).size).toBe(64);
  });

  test("HP-031 the data folder and the log contain digests of tokens and no token", async () => {
    await using folder = await temporaryFolder();
    const store = openSqliteStore({ path: join(folder.path, "holdpoint.db"), indexes: TABLE });
    const said: string[] = [];
    const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
    const test = await testServer({ store });
    const opened = await openCase(test, INLINE);
    await opened.open();
    await opened.submit({ action: "confirm" }, "wrong");
    await opened.respond({ action: "confirm" });
    const events = JSON.stringify(
      (await test.call("GET", `/v1/holds/${opened.holdId}/events`, { key: test.keys.admin })).body,
    );
    await test.server.checkpointer.stop();
    const files = await everythingIn(folder.path);
    await test[Symbol.asyncDispose]();
    write.mockRestore();
    const closed = await everythingIn(folder.path);
    for (const token of [opened.token, opened.hitl.submit_token as string]) {
      const everywhere = [files, closed, events, JSON.stringify(test.log), said.join("")];
      expect(everywhere.filter((text) => text.includes(token))).toEqual([]);
      const digest = createHash("sha256").update(token).digest("base64url");
      expect(closed).toContain(digest);
    }
  });

  test("HP-032 tokens are compared by digest in constant time, whatever their length", async () => {
    const source = await readFile(new URL("../../system/digest.ts", import.meta.url), "utf8");
    expect(sameSecret.toString()).toContain("timingSafeEqual");
    expect(source).toContain('from "node:crypto"');
    const opened = await openCase(server);
    for (const token of ["", "x", "y".repeat(1_000), `${opened.token}z`, opened.token.slice(1)])
      expect(await opened.respond({ action: "approve" }, token)).toMatchObject(WRONG);
  });

  test("HP-033 the two tokens of a case differ", async () => {
    const opened = await openCase(server, INLINE);
    expect(opened.token).not.toBe(opened.hitl.submit_token);
  });

  test("HP-034 a submit token neither opens the review page nor answers at the page's address", async () => {
    const opened = await openCase(server, INLINE);
    const token = opened.hitl.submit_token;
    expect((await server.call("GET", `/review/${opened.id}?token=${token}`)).status).toBe(401);
    expect(await opened.respond({ action: "confirm" }, token)).toMatchObject(WRONG);
  });

  test("HP-035 a review token is refused as a bearer token, and a wrong bearer token is refused even with a right token in the query", async () => {
    const opened = await openCase(server, INLINE);
    for (const what of ["respond", "submit"]) {
      const path = opened.at(what).replace(/\?.*/, "");
      expect(
        await server.call("POST", path, { key: opened.token, body: { action: "confirm" } }),
      ).toMatchObject(WRONG);
      const both = { key: "wrong", body: { action: "confirm" } };
      expect(await server.call("POST", opened.at(what), both)).toMatchObject(WRONG);
      const basic = { headers: { authorization: "Basic x" }, body: { action: "confirm" } };
      expect(await server.call("POST", opened.at(what), basic)).toMatchObject(WRONG);
    }
    expect((await opened.poll()).body.status).toBe("pending");
    const good = { key: opened.hitl.submit_token, body: { action: "confirm", ...TAPPED } };
    expect((await server.call("POST", opened.at("respond", "wrong"), good)).status).toBe(200);
  });

  test("HP-036 a token opens its own case only", async () => {
    const [one, other] = [await openCase(server, INLINE), await openCase(server, INLINE)];
    expect(await one.respond({ action: "confirm" }, other.token)).toMatchObject(WRONG);
    expect(await one.submit({ action: "confirm" }, other.hitl.submit_token)).toMatchObject(WRONG);
  });

  test("HP-037 neither token of a case can poll it or follow its stream", async () => {
    const opened = await openCase(server, INLINE);
    for (const what of ["status", "events"]) {
      const path = opened.at(what).replace(/\?.*/, "");
      for (const key of [opened.token, opened.hitl.submit_token])
        expect(await server.call("GET", path, { key })).toMatchObject({
          status: 401,
          body: { error: "unauthorized" },
        });
      expect((await server.call("GET", opened.at(what))).status).toBe(401);
    }
  });

  test("HP-038 a wrong token is refused in JSON for programs and as a page for people", async () => {
    const opened = await openCase(server);
    expect(await opened.respond({ action: "approve" }, "garbage")).toMatchObject(WRONG);
    for (const query of ["", "?token=garbage"]) {
      const page = await server.call("GET", `/review/${opened.id}${query}`, {
        headers: { accept: "text/html" },
      });
      expect(page.status).toBe(401);
      expect(page.headers.get("content-type")).toContain("text/html");
    }
  });

  test("HP-039 the link of a case stays the same when the case ends, and its page shows the ending", async () => {
    await using test = await testServer();
    const opened = await openCase(test);
    await test.clock.advance(86_400_000);
    const page = await opened.open();
    expect(page.status).toBe(200);
    expect(page.body).toMatch(/expired|too late|nobody answered/i);
    expect(page.body).not.toMatch(/<button[^>]*approve/i);
  });

  test("HP-040 the link alone is enough: no sign-in, no cookie", async () => {
    const opened = await openCase(server);
    const page = await opened.open();
    expect(page.status).toBe(200);
    expect(page.headers.get("set-cookie")).toBeNull();
    expect((await opened.respond({ action: "approve" })).status).toBe(200);
  });

  test("HP-041 polls, events, refusals and lists contain no token", async () => {
    const opened = await openCase(server, { ...INLINE, inline: ["cancel"] });
    const refusal = await opened.submit({ action: "confirm" });
    expect(refusal.body.review_url).toBe(opened.hitl.review_url.replace(/\?.*/, ""));
    const list = await server.call("GET", "/v1/holds", { key: server.keys.agent });
    const hold = await server.call("GET", `/v1/holds/${opened.holdId}`, { key: server.keys.agent });
    const said = JSON.stringify([refusal.body, list.body, hold.body, (await opened.poll()).body]);
    expect(said).not.toContain("token=");
  });

  test("HP-041 reminders contain no token", async () => {
    await using test = await testServer();
    const reminder_at = new Date(test.clock.now() + 60_000).toISOString();
    const opened = await openCase(test, { ...APPROVAL, reminder_at });
    await test.clock.advance(60_000);
    await opened.respond({ action: "approve" });
    const stream = await test.server.app.request(new URL(opened.hitl.events_url).pathname, {
      headers: { authorization: `Bearer ${test.keys.agent}` },
    });
    const text = await stream.text();
    expect(text).toContain("review.reminder");
    expect(text).not.toMatch(/token/i);
    expect(text).not.toContain(opened.token);
  });

  test("HP-042 the review page sends no referrer", async () => {
    const { headers } = await (await openCase(server)).open();
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-robots-tag")).toBe("noindex");
  });

  test("HP-195 the context of a case is in no address and in no log", async () => {
    const canary = "canary-of-the-context";
    const opened = await openCase(server, { ...INPUT, context: { ...INPUT.context, note: canary } });
    const events = await server.call("GET", `/v1/holds/${opened.holdId}/events`, { key: server.keys.admin });
    const { context: _context, ...rest } = opened.hitl;
    expect(JSON.stringify([rest, events.body, server.log])).not.toContain(canary);
    expect(JSON.stringify((await openCase(server, APPROVAL)).hitl)).not.toContain(canary);
  });
});

async function everythingIn(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), "latin1")),
  );
  return texts.join("\n");
}
