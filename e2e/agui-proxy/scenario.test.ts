import { expect, test, vi } from "vitest";
import { APP_KEY, call, scene } from "./scene.ts";

const run = (runId: string, more: object = {}) => ({
  ...{ threadId: "t1", runId, protocolVersion: "1.0", messages: [], ...more },
});
const last = (sse: string) => JSON.parse(sse.trim().split("\n\n").at(-1)?.slice("data: ".length) ?? "null");

test("two interrupts of a LangGraph agent are answered through two doors, over kill -9, and it resumes once with both", {
  timeout: 60_000,
}, async () => {
  await using here = await scene("auto_resume: true");
  const { server } = here;
  const first = last(await call(server, APP_KEY, "/agui/proxy/payer", run("r1")));
  const [ada, grace] = first.outcome.interrupts;
  const draft = run("r2", { resume: { interruptId: ada.id, payload: { approved: true } } });
  const { protocolVersion: _version, ...asDraft } = draft;
  const second = last(await call(server, APP_KEY, "/agui/draft/proxy/payer", asDraft));
  expect(second).toMatchObject({ outcome: "interrupt", interrupt: { id: grace.id } });
  await server.kill();
  await server.start();
  const link = JSON.parse(await call(server, server.key, `/v1/holds/${grace.id}/links`, {}));
  const { pathname, search } = new URL(link.url);
  const page = await (await fetch(`${server.url}${pathname}${search}`)).text();
  expect(page).toContain("Pay Grace?");
  await call(server, server.key, `/v1/holds/${grace.id}/answer`, { action: "approve" });
  await vi.waitFor(() => expect(here.ledger().toSorted()).toEqual(["Ada", "Grace", "resumed"]), {
    timeout: 20_000,
  });
  await vi.waitFor(
    async () => {
      const back = last(await call(server, APP_KEY, "/agui/proxy/payer/connect", run("r3")));
      expect(back).toMatchObject({ outcome: { type: "success" }, result: { paid: ["Ada", "Grace"] } });
    },
    { timeout: 10_000 },
  );
});
