/** The examples as their readers run them: a service and an agent, each a process of its own, on loopback. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples/", import.meta.url));
const KEYS = { HOLDPOINT_API_KEYS: "letters-key=app:letters" };

let holdpoint: ServerProcess;
beforeAll(async () => {
  holdpoint = await serverProcess(KEYS);
}, 60_000);
afterAll(() => holdpoint[Symbol.asyncDispose]());

interface Running extends AsyncDisposable {
  /** What it has said, once it matches. */
  said(words: RegExp): Promise<RegExpExecArray>;
  ended(): Promise<string>;
}

function run(example: string, env: Readonly<Record<string, string>>): Running {
  const child: ChildProcess = spawn(
    process.execPath,
    ["--conditions=@holdpoint/source", `${EXAMPLES}${example}/main.ts`],
    {
      env: { ...process.env, HOLDPOINT_URL: holdpoint.url, HOLDPOINT_API_KEY: "letters-key", ...env },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let heard = "";
  const listeners = new Set<() => void>();
  child.stdout?.on("data", (chunk: Buffer) => {
    heard += chunk.toString();
    for (const listener of listeners) listener();
  });
  const ended = once(child, "close");
  return {
    said: (words) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = words.exec(heard);
          if (found !== null) resolve(found);
        };
        listeners.add(look);
        look();
        void ended.then(() => reject(new Error(`${example} ended after: ${heard}`)));
      }),
    ended: () => ended.then(() => heard),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await ended;
    },
  };
}

async function started(example: string): Promise<{ readonly service: Running; readonly url: string }> {
  const service = run(example, { PORT: "0" });
  const [, url = ""] = await service.said(/letters are sent at (\S+)/);
  return { service, url };
}

/** Follows the link to the page, as a browser would, and answers with the page's own form. */
async function answerOnPage(link: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const page = await fetch(link, { headers: { "user-agent": "Mozilla/5.0", accept: "text/html" } });
  expect(page.status).toBe(200);
  const { pathname, search, origin } = new URL(page.url);
  const respond = `${origin}${pathname.replace("/review/", "/reviews/")}/respond${search}`;
  const answered = await fetch(respond, { method: "POST", body: new URLSearchParams(fields) });
  expect(answered.status).toBe(200);
}

describe.concurrent("an agent, a service and a person", { timeout: 120_000 }, () => {
  test("an agent asks an Express service, a person confirms on the page, and the mail is sent", async () => {
    const { service, url } = await started("hitl-express");
    await using _service = service;
    await using agent = run("hitl-agent", { SERVICE_URL: url, BATCH: "one" });
    const [link] = await agent.said(/http:\/\/localhost:\d+\/review\/\S+token=[\w-]{43}/);
    expect(link.startsWith(url)).toBe(true);
    await answerOnPage(link, { action: "confirm", note: "both, please" });
    const said = await agent.ended();
    expect(said).toContain("confirmed");
    expect(said).toContain('"note":"both, please"');
  });

  test("an agent that was away while a person answered gets the result from an Express service", async () => {
    const { service, url } = await started("hitl-express");
    await using _service = service;
    const first = run("hitl-agent", { SERVICE_URL: url, BATCH: "two" });
    const [link] = await first.said(/http:\/\/localhost:\d+\/review\/\S+token=[\w-]{43}/);
    await first[Symbol.asyncDispose]();
    await answerOnPage(link, { action: "cancel" });
    await using again = run("hitl-agent", { SERVICE_URL: url, BATCH: "two" });
    expect(await again.ended()).toContain("not confirmed: completed");
  });

  test("an agent, a service of Next.js route files and a person complete a case", async () => {
    const { service, url } = await started("hitl-next");
    await using _service = service;
    await using agent = run("hitl-agent", { SERVICE_URL: url, BATCH: "three" });
    const [link] = await agent.said(/http:\/\/localhost:\d+\/review\/\S+token=[\w-]{43}/);
    await answerOnPage(link, { action: "cancel" });
    expect(await agent.ended()).toContain("not confirmed");
    const discovery = await fetch(`${url}/.well-known/hitl.json`);
    expect(await discovery.json()).toMatchObject({ hitl_protocol: { service: { name: "Letters" } } });
  });

  test("Holdpoint accepts an inline answer that the service offered", async () => {
    const { service, url } = await started("hitl-express");
    await using _service = service;
    const headers = { authorization: "Bearer agent-of-ada", "content-type": "application/json" };
    const body = JSON.stringify({ batch: "four", letters: [{ id: "a", to: "Ada" }] });
    const asked = await fetch(`${url}/api/letters`, { method: "POST", headers, body });
    expect(asked.status).toBe(202);
    const { hitl } = await asked.json();
    const submitted = await fetch(hitl.submit_url, {
      method: "POST",
      headers: { authorization: `Bearer ${hitl.submit_token}`, "content-type": "application/json" },
      body: JSON.stringify({
        action: "confirm",
        submitted_via: "telegram",
        submitted_by: { platform: "telegram", platform_user_id: "1", display_name: "Ada" },
      }),
    });
    expect(submitted.status).toBe(200);
    const poll = await fetch(hitl.poll_url, { headers });
    expect(await poll.json()).toMatchObject({
      status: "completed",
      submission_context: { mode: "inline_submit" },
    });
    const sent = await fetch(`${url}/api/letters/four/send`, { method: "POST", headers });
    expect(await sent.json()).toMatchObject({ sent: true });
  });
});
