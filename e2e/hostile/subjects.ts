/**
 * What well-meant calls would be about, so that hostile ones get as far as they can. An operation that is not named here is
 * attacked all the same, with ids that lead nowhere.
 */

import type { Operation } from "@holdpoint/protocol";
import type { TestServer } from "../../packages/server/src/testing/test-server.ts";
import type { Subject } from "./requests.ts";

export type Subjects = (operation: Operation) => Subject;

const ASK = { type: "approval", prompt: "Refund 40 EUR?" } as const;

export async function subjectsFor(test: TestServer): Promise<Subjects> {
  const { dev } = test.keys;
  const make = async (path: string, body: unknown) => {
    const reply = await test.call("POST", path, { key: dev, body });
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const hold = await make("/v1/holds", ASK);
  const link = await make(`/v1/holds/${hold.id}/links`, {});
  const group = await make("/v1/groups", { holds: [ASK, ASK] });
  const key = await make("/v1/keys", { name: "spare", role: "operator" });
  const webhook = await make("/v1/webhooks", { url: "http://127.0.0.1:9/", events: ["hold.nothing"] });
  const intent = await make("/api/v1/intents", { title: "Refund order o-1" });
  const lease = await make(`/api/v1/intents/${intent.id}/leases`, { scope: "payment" });
  const ids: Readonly<Record<string, string>> = {
    "/v1/holds": hold.id,
    "/v1/groups": group.id,
    "/v1/keys": key.id,
    "/v1/webhooks": webhook.id,
    "/api/v1/intents": intent.id,
  };
  return (operation) => {
    const root = Object.keys(ids).find((path) => operation.path.startsWith(`${path}/`));
    const params = {
      ...(root === undefined ? {} : { id: ids[root] ?? "" }),
      link_id: link.id,
      claim_id: "claim_1",
      lease_id: lease.id,
      name: "support",
    };
    const headers: Record<string, string> =
      operation.security === "key" ? { authorization: `Bearer ${dev}` } : {};
    // Without the version that was read such a call would be refused for that alone.
    if (operation.headers !== undefined && "if-match" in operation.headers.shape) headers["if-match"] = "1";
    return { params, headers };
  };
}
