import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { answerOnPage } from "../support/answer-on-page.ts";
import { APP_KEY, call, killed, LEDGER, lastEvent, README_REQUESTS, saidLine, scene } from "./scene.ts";

const CLIENT = fileURLToPath(new URL("client.child.ts", import.meta.url));
const PROXY = "/agui/proxy/payer";

function client(url: string, what: "answer-one" | "come-back") {
  const args = ["--conditions=@holdpoint/source", CLIENT, `${url}${PROXY}`, APP_KEY, what];
  return spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
}

async function comeBack(url: string) {
  const child = client(url, "come-back");
  const line = await saidLine(child, "back ");
  await killed(child);
  return JSON.parse(line.slice("back ".length));
}

test("two interrupts of a LangGraph agent: one answered by HttpAgent, the other on the review page after server and client were killed; it resumes once with both", {
  timeout: 90_000,
}, async () => {
  await using here = await scene();
  const { server } = here;
  const app = client(server.url, "answer-one");
  const answered = JSON.parse((await saidLine(app, "answered ")).slice("answered ".length));
  const { mine, left } = answered;
  expect(left).toHaveLength(1);
  expect(left[0].metadata.hitl.poll_url).toContain("/reviews/");
  await server.kill();
  await killed(app);
  await server.start();
  expect(here.ledger()).toEqual([]);
  expect((await comeBack(server.url)).pending).toMatchObject([{ id: left[0].id }]);

  const page = await answerOnPage(server, left[0].id, "approve");
  expect(page).toContain(left[0].message);
  await vi.waitFor(() => expect(here.ledger()).toHaveLength(3), { timeout: 20_000 });
  const back = await vi.waitFor(
    async () => {
      const now = await comeBack(server.url);
      expect(now.ended).toMatchObject({ outcome: "success" });
      return now;
    },
    { timeout: 30_000 },
  );
  expect(back).toMatchObject({ ended: { result: { paid: ["Ada", "Grace"] } }, pending: [] });
  expect(here.ledger().toSorted()).toEqual(["Ada", "Grace", "resumed"]);
  const doors = [];
  for (const id of [mine.id, left[0].id]) {
    doors.push(JSON.parse(await call(server, server.key, `/v1/holds/${id}`)).outcome.door);
  }
  expect(doors).toEqual(["agui", "page"]);
  const { releases } = JSON.parse(await call(server, server.key, "/v1/releases"));
  expect(releases).toMatchObject([{ state: "released", attempt: 1 }]);

  // The README's own words for what the agent did, and its commands, on the same thread.
  expect(here.ledger().toSorted()).toEqual(LEDGER.trim().split("\n").toSorted());
  const [run, connect] = README_REQUESTS;
  if (run === undefined || connect === undefined) throw new Error("the README runs it and comes back");
  const asked = async ({ path, body }: typeof run) => lastEvent(await call(server, APP_KEY, path, body));
  expect(await asked(connect)).toMatchObject({ outcome: { type: "success" } });
  expect((await asked(run)).outcome.interrupts).toHaveLength(2);
});
