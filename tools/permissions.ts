/**
 * What each role and link can do, asked of a real server: every cell of the table in SECURITY.md is one request that was accepted or
 * refused. `npm run docs` writes it, and a test compares it.
 */

import { readFileSync } from "node:fs";
import { type TestReply, type TestServer, testServer } from "../packages/server/src/testing/test-server.ts";

const ACTORS = [
  "agent",
  "otherAgent",
  "app",
  "operator",
  "admin",
  "auditor",
  "dev",
  "link",
  "inline",
] as const;
type Actor = (typeof ACTORS)[number];

const TITLES: Readonly<Record<Actor, string>> = {
  agent: "agent that asked",
  otherAgent: "other agent",
  app: "app that asked",
  operator: "operator",
  admin: "admin",
  auditor: "auditor",
  dev: "dev",
  link: "review link",
  inline: "inline token",
};

/** A hold that the actor's side placed, with what a request needs of it. */
interface Scene {
  readonly test: TestServer;
  readonly actor: Actor;
  readonly key: string;
  readonly hold: { readonly id: string; readonly case_id: string; readonly digest: string };
  /** Of the review link, or of the inline token. */
  readonly token: string;
}

type Try = (scene: Scene) => Promise<boolean>;

const APPROVE = { action: "approve" } as const;

const ROWS: Readonly<Record<string, Try>> = {
  "place holds": (scene) => native(scene, "POST", "/v1/holds", ASK),
  "see this hold": (scene) =>
    isLink(scene)
      ? page(scene, "GET", `/review/${scene.hold.case_id}`)
      : native(scene, "GET", `/v1/holds/${scene.hold.id}`),
  "answer it": (scene) =>
    isLink(scene) ? answerByLink(scene) : native(scene, "POST", `/v1/holds/${scene.hold.id}/answer`, APPROVE),
  "answer it for a user that it names": (scene) =>
    native(scene, "POST", `/v1/holds/${scene.hold.id}/answer`, { ...APPROVE, claimed: { name: "Ada" } }),
  "withdraw it": (scene) =>
    isLink(scene)
      ? page(scene, "POST", `/review/${scene.hold.case_id}/dismiss`, {})
      : native(scene, "POST", `/v1/holds/${scene.hold.id}/cancel`, {}),
  "run what was approved (claim)": async (scene) => {
    await approve(scene);
    return native(scene, "POST", `/v1/holds/${scene.hold.id}/claim`, { digest: scene.hold.digest });
  },
  "take an approval back": async (scene) => {
    await approve(scene);
    return native(scene, "POST", `/v1/holds/${scene.hold.id}/revoke`, {});
  },
  "make review links for it": (scene) => native(scene, "POST", `/v1/holds/${scene.hold.id}/links`, {}),
  "make an inline token for it": (scene) =>
    native(scene, "POST", `/v1/holds/${scene.hold.id}/links`, { purpose: "submit" }),
  "erase its content": async (scene) => {
    await approve(scene);
    return native(scene, "POST", `/v1/holds/${scene.hold.id}/erase`, {});
  },
  "read the log of everything": (scene) => native(scene, "GET", "/v1/log"),
  "see keys and webhooks": (scene) => native(scene, "GET", "/v1/keys"),
  "make keys and webhooks": (scene) => native(scene, "POST", "/v1/keys", { role: "agent", name: "made" }),
};

const ASK = { type: "approval", prompt: "Refund 80 EUR?" } as const;

/** Where a messenger sends the press of a button. */
const PRESSED = {
  ...APPROVE,
  submitted_via: "x-button",
  submitted_by: { platform: "x-chat", platform_user_id: "1" },
};

function answerByLink(scene: Scene): Promise<boolean> {
  const address = `/reviews/${scene.hold.case_id}`;
  if (scene.actor === "link") return page(scene, "POST", `${address}/respond`, APPROVE);
  return page(scene, "POST", `${address}/submit`, PRESSED);
}

function isLink({ actor }: Scene): boolean {
  return actor === "link" || actor === "inline";
}

/** A link has no key: what it sends as one is its token. */
async function native({ test, key }: Scene, method: string, path: string, body?: object): Promise<boolean> {
  const reply = await test.call(method, path, { key, ...(body === undefined ? {} : { body }) });
  return accepted(reply);
}

async function page(
  { test, actor, token }: Scene,
  method: string,
  path: string,
  body?: object,
): Promise<boolean> {
  const headers = actor === "inline" ? { authorization: `Bearer ${token}` } : {};
  const address = actor === "inline" ? path : `${path}?token=${token}`;
  const reply = await test.call(method, address, { headers, ...(body === undefined ? {} : { body }) });
  return accepted(reply);
}

/** Anything but a refusal for who one is would be a mistake of this file. */
function accepted({ status, body }: TestReply): boolean {
  if (status < 400) return true;
  if ([401, 403, 404].includes(status)) return false;
  throw new Error(
    `a request of the table was answered with ${status}: ${JSON.stringify(body).slice(0, 300)}`,
  );
}

async function approve({ test, hold }: Scene): Promise<void> {
  const reply = await test.call("POST", `/v1/holds/${hold.id}/answer`, {
    key: test.keys.operator,
    body: APPROVE,
  });
  if (reply.status !== 200) throw new Error(`approving was answered with ${reply.status}`);
}

async function sceneFor(test: TestServer, actor: Actor): Promise<Scene> {
  const asker = actor === "app" ? test.keys.app : test.keys.agent;
  const { body: hold } = await test.call("POST", "/v1/holds", {
    key: asker,
    body: { ...ASK, hitl_case: true },
  });
  const token = actor === "inline" ? await inlineToken(test, hold.id) : tokenOf(hold.review_url);
  const key = actor === "link" || actor === "inline" ? token : test.keys[actor];
  return { test, actor, key, hold, token };
}

function tokenOf(url: string): string {
  return new URL(url).searchParams.get("token") ?? "";
}

async function inlineToken(test: TestServer, holdId: string): Promise<string> {
  const body = { purpose: "submit" };
  const reply = await test.call("POST", `/v1/holds/${holdId}/links`, { key: test.keys.operator, body });
  return reply.body.token ?? tokenOf(reply.body.url);
}

export async function permissionsMarkdown(): Promise<string> {
  await using test = await testServer();
  const lines = [
    row(
      "",
      ACTORS.map((actor) => TITLES[actor]),
    ),
    row(
      "---",
      ACTORS.map(() => ":-:"),
    ),
  ];
  for (const [what, attempt] of Object.entries(ROWS)) {
    const cells: string[] = [];
    for (const actor of ACTORS) cells.push((await attempt(await sceneFor(test, actor))) ? "yes" : "–");
    lines.push(row(what, cells));
  }
  return lines.join("\n");
}

function row(first: string, cells: readonly string[]): string {
  return `| ${[first, ...cells].join(" | ")} |`;
}

const BEGIN = "<!-- written by `npm run docs` -->";
const END = "<!-- end -->";

/** SECURITY.md with its table as it is now. */
export async function securityMarkdown(): Promise<string> {
  const text = readFileSync(new URL("../SECURITY.md", import.meta.url), "utf8");
  const [before = "", rest = ""] = text.split(BEGIN);
  const [, after = ""] = rest.split(END);
  return `${before}${BEGIN}\n\n${await permissionsMarkdown()}\n\n${END}${after}`;
}
