import { describe, expect, test } from "vitest";
import { BASE, decide, setUp } from "../testing/shop.ts";

describe("withdrawing", () => {
  test("HP-145 the agent that asked may withdraw, with a reason", async () => {
    const { service, ask } = setUp();
    const url = `${BASE}/reviews/${(await ask()).hitl["case_id"]}/cancel`;
    const init = {
      method: "POST",
      headers: { "x-agent": "a1" },
      body: JSON.stringify({ reason: "Too late" }),
    };
    const response = await service.handle(new Request(url, init));
    expect(await response?.json()).toMatchObject({ status: "cancelled", reason: "Too late" });
    const again = await service.handle(new Request(url, init));
    expect(again?.status).toBe(409);
    expect(await again?.json()).toMatchObject({ error: "case_cancelled" });
  });

  test.each([
    ['{"reason":5}', 400, "invalid_request"],
    [JSON.stringify({ reason: "x".repeat(2_001) }), 400, "invalid_request"],
    ['{"reason":"a\\u0000b"}', 400, "invalid_request"],
    ['{"reason":"\\ud800"}', 400, "invalid_request"],
    ["[]", 400, "invalid_request"],
    ["{", 400, "invalid_json"],
    [" ".repeat(20_000), 413, "payload_too_large"],
  ])(
    "HP-145 a reason that cannot be kept is refused (%.30s), and the case stays open",
    async (body, status, error) => {
      const { service, ask, holds } = setUp();
      const url = `${BASE}/reviews/${(await ask()).hitl["case_id"]}/cancel`;
      const refused = await service.handle(
        new Request(url, { method: "POST", headers: { "x-agent": "a1" }, body }),
      );
      expect(refused?.status).toBe(status);
      expect(await refused?.json()).toMatchObject({ error });
      expect(holds.latest().status).toBe("open");
      const longest = JSON.stringify({ reason: "x".repeat(2_000) });
      const taken = await service.handle(
        new Request(url, { method: "POST", headers: { "x-agent": "a1" }, body: longest }),
      );
      expect(taken?.status).toBe(200);
    },
  );

  test("HP-146 an answered case cannot be withdrawn", async () => {
    const { ask, get, holds } = setUp();
    const { hitl } = await ask();
    decide(holds);
    const response = await get(`/reviews/${hitl["case_id"]}/cancel`, {}, "POST");
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ error: "duplicate_submission" });
  });

  test("HP-100 another agent's case cannot be withdrawn", async () => {
    const { ask, get } = setUp();
    const { hitl } = await ask();
    expect((await get(`/reviews/${hitl["case_id"]}/cancel`, { "x-agent": "a2" }, "POST")).status).toBe(404);
  });
});
