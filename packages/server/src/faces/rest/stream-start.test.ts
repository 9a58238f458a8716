import { expect, it } from "vitest";
import { testServer } from "../../testing/test-server.ts";

it("a stream sends its start position at once, so that a reader that is cut off before the first frame misses nothing", async () => {
  await using test = await testServer();
  const body = { type: "approval", prompt: "Refund 40 EUR?" };
  await test.call("POST", "/v1/holds", { key: test.keys.agent, body });
  const headers = { authorization: `Bearer ${test.keys.agent}` };
  const stream = await test.server.app.request("/v1/events", { headers });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("\n\n")) text += (await reader?.read())?.value ?? "";
  await reader?.cancel();
  const position = await test.store.lastPosition();
  expect(position).toBeGreaterThan(0);
  expect(text).toBe(`id: ${position}\n: connected\n\n`);
});
