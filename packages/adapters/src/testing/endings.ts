/** The ways in which a question can end, each as a person or the clock brings it about. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { TestServer } from "holdpoint/testing";
import { expect } from "vitest";
import { clientOf } from "./client-of.ts";
import type { Ending } from "./truth-table.ts";

export const HOUR_MS = 3_600_000;

/** Ends an open hold that expires within the hour. */
export async function bringAbout(
  test: TestServer,
  holdId: string,
  ending: Ending,
  edited: JsonObject = { amount: 5 },
): Promise<void> {
  const operator = clientOf(test, "operator");
  switch (ending) {
    case "approved":
      return void (await operator.answer(holdId, { action: "approve" }));
    case "approved with changes":
      return void (await operator.answer(holdId, {
        action: "approve",
        data: { edited_args: edited },
      }));
    case "changes requested":
      return void (await operator.answer(holdId, { action: "edit", data: { feedback: "less" } }));
    case "rejected":
      return void (await operator.answer(holdId, { action: "reject" }));
    case "left empty":
      return expect(await onThePage(test, holdId, "answer")).toBe(400);
    case "dismissed":
      return expect(await onThePage(test, holdId, "dismiss")).toBe(303);
    case "expired":
      return await test.clock.advance(HOUR_MS);
    case "cancelled":
      return void (await operator.cancel(holdId, { reason: "no longer needed" }));
  }
}

/** Posts the review page's form with nothing filled in. */
async function onThePage(test: TestServer, holdId: string, what: "answer" | "dismiss"): Promise<number> {
  const { body } = await test.call("POST", `/v1/holds/${holdId}/links`, {
    key: test.keys.operator,
    body: {},
  });
  const url = new URL(body.url);
  const reply = await test.server.app.request(`${url.pathname}/${what}${url.search}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "",
  });
  return reply.status;
}
