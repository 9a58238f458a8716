import { Holdpoint } from "@holdpoint/sdk";
import { expect, test } from "vitest";
import { serverProcess } from "../support/server-process.ts";
import { crashRounds } from "./rounds.ts";

test.concurrent("G2 G3 acknowledged work survives kill -9, nothing is doubled, and no timer is lost", {
  timeout: 180_000,
}, async () => {
  await crashRounds(2, 1_000);
});

test.concurrent("G8 a waiting agent continues after the server was killed and started again", {
  timeout: 120_000,
}, async () => {
  await using server = await serverProcess({ HOLDPOINT_API_KEYS: "fixed-dev-key=dev:dev" });
  const port = new URL(server.url).port;
  const agent = new Holdpoint({ url: server.url, apiKey: "fixed-dev-key" });
  const hold = await agent.place({ key: "deploy:7", type: "approval", prompt: "Deploy build 7?" });
  const asked = agent.wait(hold.id);
  await server.kill();
  await server.start(port);
  const person = new Holdpoint({ url: server.url, apiKey: server.key });
  await person.answer(hold.id, { action: "approve" });
  expect((await asked).outcome).toMatchObject({ kind: "decided", action: "approve" });
  // Asking again with the same key, as a restarted agent would, finds the same hold and its answer.
  expect((await agent.place({ key: "deploy:7", type: "approval", prompt: "Deploy build 7?" })).id).toBe(
    hold.id,
  );
});

test.concurrent("a second server refuses a home folder that is in use, and names the server that uses it", {
  timeout: 60_000,
}, async () => {
  await using server = await serverProcess();
  const second = await server.startAnother();
  expect(second.code).toBe(1);
  expect(second.said).toMatch(/is in use by process \d+ since .*, at http:\/\/127\.0\.0\.1:\d+/);
});
