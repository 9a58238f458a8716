import { expect, test } from "vitest";
import { APPROVAL, openCase } from "../../testing/hitl-cases.ts";
import { testServer } from "../../testing/test-server.ts";

test("G14 an agent that polls after the approval was revoked hears that the case was cancelled, and gets no result", async () => {
  await using server = await testServer();
  const opened = await openCase(server, APPROVAL);
  await opened.respond({ action: "approve" });
  expect((await opened.poll()).body).toMatchObject({ status: "completed", result: { action: "approve" } });
  const { status } = await server.call("POST", `/v1/holds/${opened.holdId}/revoke`, {
    key: server.keys.operator,
  });
  expect(status).toBe(200);
  const { body } = await opened.poll();
  expect(body).toMatchObject({ status: "cancelled", reason: "The approval was taken back." });
  expect(body).not.toHaveProperty("result");
  expect(body).not.toHaveProperty("responded_by");
});
