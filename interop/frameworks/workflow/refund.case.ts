/** The recipe in Workflow DevKit's own runtime, against a real server. */

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNode } from "@holdpoint/adapters/handlers";
import { Holdpoint } from "@holdpoint/sdk";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { start } from "workflow/api";
import { ring } from "./doorbell.ts";
import { refund } from "./workflows/refund.ts";

const hp = new Holdpoint();
let handler: ReturnType<typeof ring> | undefined;
const http = createServer(
  toNode(async (request) => handler?.(request) ?? new Response(null, { status: 503 })),
);

beforeAll(async () => {
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
  const reply = await fetch(`${process.env["HOLDPOINT_URL"]}/v1/webhooks`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${process.env["HOLDPOINT_API_KEY"]}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ url, events: ["hold.decided", "hold.expired", "hold.cancelled"] }),
  });
  handler = ring(((await reply.json()) as { readonly secret: string }).secret);
});
afterAll(() => void http.close());

test.each([
  ["1042", "approve", "refunded 1042"],
  ["1043", "reject", "not refunded: decided"],
])("order %s, answered with %s, ends as %s", async (order, action, ended) => {
  const run = await start(refund, [order, 80]);
  const holdId = await vi.waitFor(
    async () => {
      const { holds } = await hp.list({ key: `refund:${order}` });
      expect(holds).toHaveLength(1);
      return holds[0]?.id ?? "";
    },
    { timeout: 30_000 },
  );
  await hp.answer(holdId, { action });
  expect(await run.returnValue).toBe(ended);
});

test("only what was approved was paid, and once", () => {
  expect(readFileSync(process.env["LEDGER"] ?? "", "utf8")).toBe("1042 80\n");
});
