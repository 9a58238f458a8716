import { describe, expect, test } from "vitest";
import { logData } from "../../testing/tables.ts";
import type { ApiKey, Session, SignIn, Webhook } from "./access.ts";
import type { AccessFact } from "./facts.ts";

const SECRET = "must-not-show";
const key: ApiKey = {
  id: "k1",
  name: "refunder",
  role: "agent",
  hash: SECRET,
  hint: SECRET,
  callbackSecret: SECRET,
  madeAt: 1,
  madeBy: "key:root",
};
const signIn: SignIn = { hash: SECRET, name: "Ada", role: "operator", madeAt: 1, expiresAt: 2 };
const session: Session = { id: "s1", hash: SECRET, name: "Ada", role: "operator", madeAt: 1, expiresAt: 2 };
const webhook: Webhook = {
  id: "w1",
  url: `https://a.test/${SECRET}`,
  events: ["hold.decided"],
  secrets: [SECRET],
  madeAt: 1,
};
const signingKey = { id: "sk1", algorithm: "Ed25519", publicJwk: { x: SECRET }, madeAt: 1 } as const;
const checkpoint = {
  id: "cp",
  from: 0,
  upTo: 1,
  count: 1,
  root: "",
  previous: "",
  hash: "",
  at: 1,
  keyId: "",
  signature: "",
};

describe("what the log stores of facts about access (G9)", () => {
  test.each<[AccessFact, unknown]>([
    [
      { type: "key.made", key },
      { key_id: "k1", name: "refunder", role: "agent" },
    ],
    [
      { type: "key.secret_rotated", key },
      { key_id: "k1", name: "refunder", role: "agent" },
    ],
    [{ type: "key.used", key }, null],
    [
      { type: "sign_in.made", signIn },
      { name: "Ada", role: "operator" },
    ],
    [
      { type: "session.started", session },
      { session_id: "s1", name: "Ada", role: "operator" },
    ],
    [
      { type: "webhook.made", webhook },
      { webhook_id: "w1", events: ["hold.decided"] },
    ],
    [{ type: "workspace.changed", settings: { webhooks: [] } }, { webhooks: 0 }],
    [
      { type: "workspace.changed", settings: { webhooks: [], retainMs: 5 } },
      { webhooks: 0, retain_ms: 5 },
    ],
    [
      { type: "workspace.changed", settings: { webhooks: [], noInline: true } },
      { webhooks: 0, no_inline: true },
    ],
    [
      { type: "signing_key.made", key: signingKey },
      { key_id: "sk1", algorithm: "Ed25519" },
    ],
    [{ type: "checkpoint.made", checkpoint }, null],
  ])("the log stores $type without any secret", (fact, data) => {
    expect(logData(fact)).toEqual(data);
    expect(JSON.stringify(data)).not.toContain(SECRET);
  });
});
