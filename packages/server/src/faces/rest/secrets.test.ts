/** G9 on the outside: after a whole life of secrets, none is anywhere but where it may be. */

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TABLE } from "../../domains.ts";
import { openSqliteStore } from "../../store/sqlite/open.ts";
import { Receiver } from "../../testing/receiver.ts";
import { testServer } from "../../testing/test-server.ts";

const PIN = "pin-8842-very-private";
const FORM = {
  fields: [
    { key: "pin", label: "PIN", type: "text", sensitive: true },
    { key: "note", label: "Note", type: "text" },
  ],
};

describe("G9 secrets", () => {
  it("sensitive values are stored in the hold's own row only, and only its creator gets them", async () => {
    const folder = await mkdtemp(join(tmpdir(), "holdpoint-secrets-"));
    const path = join(folder, "holdpoint.db");
    await using receiver = await Receiver.start();
    const test = await testServer({ store: openSqliteStore({ path, indexes: TABLE }) });
    const { agent, admin, operator, auditor } = test.keys;
    const post = async (at: string, key: string, body: object) =>
      (await test.call("POST", at, { key, body })).body;

    const key = await post("/v1/keys", admin, { name: "shipper", role: "agent" });
    await test.call("GET", "/v1/me", { key: key.secret });
    const hook = await post("/v1/webhooks", admin, { url: receiver.url("/hook") });
    const signIn = await post("/v1/sign-ins", admin, {});
    const signInToken = new URL(signIn.url).searchParams.get("token") ?? "";
    const entered = await test.server.app.request(signIn.url, { headers: { "user-agent": "Mozilla/5.0" } });
    const session = /holdpoint_session=([\w-]+)/.exec(entered.headers.get("set-cookie") ?? "")?.[1] ?? "";
    const hold = await post("/v1/holds", agent, {
      type: "input",
      prompt: "Which PIN?",
      form: FORM,
      callback_url: receiver.url("/back"),
    });
    const link = await post(`/v1/holds/${hold.id}/links`, operator, { purpose: "submit" });
    const linkToken = new URL(hold.review_url).searchParams.get("token") ?? "";
    await test.call("GET", `/review/${hold.case_id}?token=wrong-${PIN}`);
    await test.call("GET", "/v1/me", { key: `hp_${"0".repeat(26)}_${"x".repeat(43)}` });
    await post(`/v1/holds/${hold.id}/answer`, operator, { action: "submit", data: { pin: 17, note: PIN } });
    const answered = await post(`/v1/holds/${hold.id}/answer`, operator, {
      action: "submit",
      data: { pin: PIN, note: "ok" },
    });
    // Placed and decided to the webhook, the end to the creator.
    await receiver.received(3);

    expect(answered.outcome.data).toEqual({ pin: { withheld: true }, note: "ok" });
    const mine = await test.call("GET", `/v1/holds/${hold.id}`, { key: agent });
    expect(mine.body.outcome.data).toEqual({ pin: PIN, note: "ok" });
    for (const other of [operator, admin, auditor]) {
      const seen = await test.call("GET", `/v1/holds/${hold.id}`, { key: other });
      expect(JSON.stringify(seen.body)).not.toContain(PIN);
      const listed = await test.call("GET", "/v1/holds", { key: other });
      expect(JSON.stringify(listed.body)).not.toContain(PIN);
    }
    for (const { path: at, body } of receiver.requests) expect(body.includes(PIN)).toBe(at === "/back");

    const raw = [key.secret, signInToken, session, linkToken, link.token];
    expect(raw.filter((secret) => secret.length < 20)).toEqual([]);
    const events = await test.store.events({ after: 0, limit: 10_000 });
    const outbox = await test.store.outbox({ workspace: "default", limit: 10_000 });
    const metrics = (await test.call("GET", "/metrics")).body;
    for (const [place, text] of Object.entries({
      events: JSON.stringify(events),
      outbox: JSON.stringify(outbox),
      log: JSON.stringify(test.log),
      metrics,
    })) {
      expect({
        place,
        found: [...raw, PIN, hook.secret, key.callback_secret].filter((secret) => text.includes(secret)),
      }).toEqual({ place, found: [] });
    }

    await test[Symbol.asyncDispose]();
    const files = await readdir(folder);
    expect(files).toContain("holdpoint.db");
    const bytes = Buffer.concat(await Promise.all(files.map((file) => readFile(join(folder, file)))));
    expect(raw.filter((secret) => bytes.includes(secret))).toEqual([]);
    // Once: in the hold's row, where its creator reads it.
    expect(bytes.includes(PIN)).toBe(true);
    await rm(folder, { recursive: true });
  });
});
