/** Every request that the reference shows, sent as it stands: it is taken, or refused with a code that the reference lists. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServerProcess, serverProcess } from "../support/server-process.ts";
import { textOf } from "./pages.ts";

interface Shown {
  readonly title: string;
  readonly code: string;
  readonly refusals: readonly string[];
}

const shown: readonly Shown[] = textOf("docs/reference/api.md")
  .split(/^#### /m)
  .slice(1)
  .map((section) => ({
    title: section.slice(0, section.indexOf("\n")).replace(/<a.*<\/a>/, ""),
    code: /^```sh\n([\s\S]*?)^```$/m.exec(section)?.[1] ?? "",
    refusals: [...section.matchAll(/\[`(\w+)`\]\(errors\.md/g)].map(([, code = ""]) => code),
  }));

let server: ServerProcess;
beforeAll(async () => {
  server = await serverProcess();
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

/** Streams have no end: a second of them is enough. */
const CURL = `curl() { command curl --silent --max-time 1 --write-out '\\n%{http_code}' "$@" || true; }`;

async function sent(code: string): Promise<{ readonly status: number; readonly body: string }> {
  const named = [...code.matchAll(/\$([A-Z_]+)/g)].map(([, name = ""]) => [name, "nobody"]);
  const env = {
    ...process.env,
    ...Object.fromEntries(named),
    HOLDPOINT_URL: server.url,
    HOLDPOINT_API_KEY: server.key,
  };
  const { stdout } = await promisify(execFile)("bash", ["-c", `${CURL}\n${code}`], { env });
  const at = stdout.lastIndexOf("\n");
  return { status: Number(stdout.slice(at + 1)), body: stdout.slice(0, at) };
}

function codeIn(body: string): string {
  try {
    const { code, error } = JSON.parse(body);
    // JSON-RPC has numbers of its own; the code is in the data.
    return code ?? error?.data?.code ?? error?.code ?? error ?? body;
  } catch {
    return body;
  }
}

/** What nobody may be shown how to do. */
const ILL_FORMED = ["invalid_json", "unknown_member", "unsupported_media_type", "too_large", "internal"];

test("the reference shows a request for every operation", () => {
  expect(shown.length).toBeGreaterThan(150);
  expect(shown.filter(({ code }) => code === "")).toEqual([]);
});

test.each(shown)(
  'the request that the reference shows for "$title" is accepted, or refused with a listed code',
  async ({ code, refusals }) => {
    const { status, body } = await sent(code);
    if (status >= 200 && status < 400) return;
    expect(refusals, body).toContain(codeIn(body));
    expect(ILL_FORMED, body).not.toContain(codeIn(body));
  },
);
