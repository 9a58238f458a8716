import { expect, test } from "vitest";
import { testServer } from "../../testing/test-server.ts";
import { plainRenderer } from "./plain/index.ts";

const SCRIPTED = "<p>laid out with script</p>";

async function pageOf(context: object, more: object = {}) {
  const renderer = { ...plainRenderer, review: () => SCRIPTED };
  await using test = await testServer({ pages: { renderer } });
  const ada = { id: "ada", name: "Ada", role: "operator" };
  await test.call("POST", "/v1/people", { key: test.keys.admin, body: ada });
  const body = { type: "approval", prompt: "Go?", context, ...more };
  const placed = await test.call("POST", "/v1/holds", { key: test.keys.agent, body });
  const { id } = placed.body;
  const made = await test.call("POST", `/v1/holds/${id}/links`, { key: test.keys.operator, body: {} });
  const { pathname, search } = new URL(made.body.url);
  const page = await test.server.app.request(pathname + search);
  return { id: id as string, text: await page.text() };
}

test.each([
  ["a text of 60,000 characters", { log: "x".repeat(60_000) }, true],
  ["a text of 64,000 characters", { log: "x".repeat(64_000) }, false],
  ["4,000 values", { list: Array(4_000).fill(0) }, true],
  ["5,000 values", { list: Array(5_000).fill(0) }, false],
  ["10,000 names", Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, 0])), false],
])(
  "the review page of %s is laid out with script only if that is quick (G13)",
  async (_what, context, isScripted) => {
    const { text } = await pageOf(context);
    expect(text === SCRIPTED).toBe(isScripted);
  },
);

test("a long review page without script says that a passkey is asked for in the console", async () => {
  const decision = { approve: [{ need: 1, from: ["person:ada"] }], strength: "passkey" };
  const { id, text } = await pageOf({ log: "x".repeat(200_000) }, { decision });
  expect(text).toContain("Answering needs a passkey");
  expect(text).toContain(`/console/holds/${id}`);
});
