import type { JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, it } from "vitest";
import { NO_PLATFORM } from "../../kernel/platform.ts";
import { openIntentServer, REC } from "../../testing/openintent.ts";

const POLICY = {
  max_attempts: 3,
  interval_seconds: 3600,
  escalation_ladder: [{ attempt: 2, channel_hint: "email", notify_to: "lead@example.com" }],
};

function withDefault(retryPolicy: JsonObject) {
  return openIntentServer({ platform: { ...NO_PLATFORM, retryPolicy } });
}

describe("what the platform sets", () => {
  it("OI-180 the platform's retry policy is public, and its recipients are shown only to callers with a key", async () => {
    await using oi = await withDefault(POLICY);
    const shown = (policy: unknown) => ({
      protocol_version: "0.1",
      suspension: { default_retry_policy: policy },
    });
    for (const path of ["/api/v1/server/config", "/v1/server/config"]) {
      expect((await oi.call("GET", path)).body).toEqual(shown(POLICY));
      const [step] = POLICY.escalation_ladder;
      const bare = { ...POLICY, escalation_ladder: [{ ...step, notify_to: null }] };
      const stranger = await oi.call("GET", path, { as: "nobody" });
      expect(stranger).toMatchObject({ status: 200, body: shown(bare) });
      const wrong = await oi.call("GET", path, { as: "nobody", headers: { "x-api-key": "guess" } });
      expect(wrong.body).toEqual(shown(bare));
    }
  });

  it("OI-180 the platform's retry policy cannot be written through the API", async () => {
    await using oi = await withDefault(POLICY);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      expect((await oi.call(method, "server/config", { body: {} })).status).toBe(405);
    }
  });

  it("OI-181 OI-183 there is no platform retry policy unless the operator sets one", async () => {
    await using oi = await openIntentServer();
    expect((await oi.call("GET", "server/config")).body.suspension).toEqual({ default_retry_policy: null });
    const { id } = await oi.create();
    const { state } = await oi.suspend(id, REC);
    expect(state._suspension).not.toHaveProperty("retry_policy");
    expect(state._suspension).not.toHaveProperty("expires_at");
  });

  it("OI-182 OI-185 the platform's policy fills members that a call leaves out, and the suspension shows the result", async () => {
    await using oi = await withDefault(POLICY);
    const { id } = await oi.create();
    const { state } = await oi.suspend(id, {
      ...REC,
      retry_policy: { max_attempts: 1, interval_seconds: 1800 },
    });
    const effective = { ...POLICY, max_attempts: 1, interval_seconds: 1800 };
    expect(state._suspension).toMatchObject({
      retry_policy: effective,
      expires_at: "2026-01-01T00:30:00.000+00:00",
    });
    expect((await oi.events(id, "intent.suspended"))[0].payload.retry_policy).toEqual(effective);
  });

  it("OI-184 the platform's policy applies to a call without a policy, and not to a call with null", async () => {
    await using oi = await withDefault(POLICY);
    for (const order of ["record first", "status first"] as const) {
      const { id: silent } = await oi.create();
      const said = await oi.suspend(silent, REC, order);
      expect(said.state._suspension).toMatchObject({
        retry_policy: POLICY,
        expires_at: "2026-01-01T03:00:00.000+00:00",
      });
      const { id: without } = await oi.create();
      const none = await oi.suspend(without, { ...REC, retry_policy: null }, order);
      expect(none.state._suspension.retry_policy).toBeNull();
      expect(none.state._suspension).not.toHaveProperty("expires_at");
    }
  });

  it("OI-185 a suspension can be written back as it is shown and is the same question", async () => {
    await using oi = await withDefault(POLICY);
    for (const record of [REC, { ...REC, retry_policy: null }]) {
      const { id } = await oi.create();
      const shown = await oi.suspend(id, record);
      const value = shown.state._suspension;
      const back = await oi.patch(id, [{ op: "set", path: "/_suspension", value }]);
      expect(back).toMatchObject({ status: 200, body: { version: shown.version } });
      expect((await oi.patch(id, [{ op: "set", path: "/_suspension", value: record }])).status).toBe(200);
      const again = await oi.call("POST", `intents/${id}/suspend`, { body: record });
      expect(again).toMatchObject({ status: 200, body: { version: shown.version } });
    }
  });
});
