import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Hold, Outcome } from "@holdpoint/protocol/client";
import { httpHoldClient } from "@holdpoint/protocol/http";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { describe, expect, test, vi } from "vitest";
import { serve } from "../serve.ts";
import { temporaryFolder } from "../store/suite/temporary.ts";
import { readConfig } from "../system/config.ts";
import { answerInteractively } from "./answer-interactively.ts";
import { holdClientOf } from "./client.ts";
import { commandLine } from "./commands.fixture.ts";
import { CONTRACT_FORM } from "./demo/holds.ts";
import type { Io } from "./io.ts";
import { holdLine, outcomeText, wholeAsk } from "./show.ts";

const cli = commandLine();

test("holdpoint answer answers through the door cli and binds the answer to the ask it read", async () => {
  const { id, digest } = await cli.hp.place({ type: "approval", prompt: "Answer me" });
  const output = await cli.run("answer", [id, "approve", "--note", "looks fine"]);
  expect(output).toMatchObject({ code: 0, out: 'approve {"feedback":"looks fine"} by dev, through cli\n' });
  expect((await cli.hp.get(id)).outcome).toMatchObject({ door: "cli", shown: digest });
  await expect(cli.run("answer", [id, "reject"])).rejects.toMatchObject({ code: "already_settled" });
});

test("holdpoint inbox lists open holds, the soonest to expire first", async () => {
  await cli.hp.place({ type: "approval", prompt: "Not urgent" });
  await cli.hp.place({ type: "approval", prompt: "Urgent", timeout: "5m" });
  const { out } = await cli.run("inbox");
  expect(out.indexOf("Urgent")).toBeGreaterThan(-1);
  expect(out.indexOf("Urgent")).toBeLessThan(out.indexOf("Not urgent"));
  expect(JSON.parse((await cli.run("inbox", ["--json"])).out).holds.length).toBeGreaterThan(1);
});

test("holdpoint inbox prints no escape sequences that an agent wrote into a prompt", async () => {
  await cli.hp.place({ type: "approval", prompt: "Pay 1 EUR\u001b[2K\u001b[1GPay 9999 EUR" });
  expect((await cli.run("inbox")).out).not.toContain("\u001b[2K");
});

test("holdpoint inbox --json escapes what a terminal would obey, and a program reads it back unchanged", async () => {
  const prompt = "Pay \u009b2K 1 EUR \u202e0009 ROE";
  const { id } = await cli.hp.place({ type: "approval", prompt });
  const { out } = await cli.run("inbox", ["--json"]);
  expect(out).not.toMatch(/[\u0080-\u009f\u202a-\u202e]/);
  expect(JSON.parse(out).holds.find((hold: Hold) => hold.id === id).prompt).toBe(prompt);
});

/** Types one line per question; returns the questions and the output. */
async function typing(hold: Hold, ...typed: string[]) {
  const asked: string[] = [];
  let out = "";
  const io = {
    env: { HOLDPOINT_HOME: cli.home },
    folder: cli.home,
    out: (text: string) => (out += text),
    err: () => undefined,
    isTerminal: false,
    now: () => 0,
  } as Io;
  const question = async (text: string) => {
    asked.push(text);
    return typed.shift() ?? "";
  };
  await answerInteractively(holdClientOf(io), hold, { question } as never, io);
  return { asked, out };
}

const UNKNOWN = { prompt: "Run a tool?", context: { call_unknown: true } };

test.each(["approval", "confirmation"] as const)(
  "G15 answering an %s of an unknown call in the terminal asks how the person knows what will run",
  async (type) => {
    const hold = await cli.hp.place({ type, ...UNKNOWN });
    const action = type === "approval" ? "approve" : "confirm";
    const silent = await typing(hold, action, "  ");
    expect(silent.out).toContain("exact call is unknown");
    expect((await cli.hp.get(hold.id)).status).toBe("open");
    const { asked } = await typing(hold, action, "I read its code.");
    expect(asked.at(-1)).toMatch(/how do you know what will run/i);
    expect((await cli.hp.get(hold.id)).outcome).toMatchObject({ action, data: { note: "I read its code." } });
  },
);

test("G15 holdpoint answer approves an unknown call only with --note, and rejects it without", async () => {
  const { id } = await cli.hp.place({ type: "approval", ...UNKNOWN });
  await expect(cli.run("answer", [id, "approve"])).rejects.toThrow(/exact call is unknown/);
  await cli.run("answer", [id, "approve", "--note", "I read its code."]);
  expect((await cli.hp.get(id)).outcome).toMatchObject({ data: { note: "I read its code." } });
  const other = await cli.hp.place({ type: "approval", ...UNKNOWN });
  await cli.run("answer", [other.id, "reject", "--note", "no"]);
  expect((await cli.hp.get(other.id)).outcome).toMatchObject({ action: "reject", data: { feedback: "no" } });
});

test("answering in the terminal asks for each visible field of the form", async () => {
  const hold = await cli.hp.place({ type: "input", prompt: "A few facts?", form: CONTRACT_FORM });
  const { asked, out } = await typing(hold, "submit", "hourly", "2026-12-01", "95", "");
  expect(asked.join()).not.toContain("Price in EUR");
  expect((await cli.hp.get(hold.id)).outcome).toMatchObject({
    kind: "decided",
    data: { kind: "hourly", rate: 95 },
  });
  expect(out).toContain("submit");
});

test.each([
  ["", {}],
  ["very kind", { note: "very kind" }],
])("answering a custom hold type in the terminal sends the action and the note %j", async (note, data) => {
  const hold = await cli.hp.place({
    type: "x-tone",
    prompt: "Fit to be sent?",
    actions: [{ id: "send" }],
  });
  await typing(hold, "send", note);
  expect((await cli.hp.get(hold.id)).outcome).toMatchObject({ kind: "decided", action: "send", data });
});

test("finding 15: holdpoint keys callback-secret shows what signs the callbacks of configured keys", async () => {
  const env = { HOLDPOINT_API_KEYS: "hp_one=agent:refunder,hp_two=app:shop:acme" };
  const all = JSON.parse((await cli.run("keys", ["callback-secret", "--json"], env)).out);
  expect(all.keys).toMatchObject([
    { role: "agent", name: "refunder", workspace: "default" },
    { role: "app", name: "shop", workspace: "acme" },
  ]);
  const { out } = await cli.run("keys", ["callback-secret", "app:shop"], env);
  expect(out).toMatch(/^app:shop +acme +whsec_[A-Za-z0-9+/]{43}=\n$/);
  expect(out).toContain(all.keys[1].callback_secret);
  expect(out).not.toContain("hp_two");
  await expect(cli.run("keys", ["callback-secret", "agent:nobody"], env)).rejects.toThrow(
    "no key agent:nobody",
  );
  await expect(cli.run("keys", ["callback-secret"])).rejects.toThrow("no key here");
});

test("holdpoint keys makes, lists and revokes keys, and shows a working secret once", async () => {
  const { out: secret } = await cli.run("keys", ["make", "agent:bookkeeper"]);
  const agent = httpHoldClient({ url: cli.serving.address, apiKey: secret.trim() });
  expect((await agent.place({ type: "approval", prompt: "As bookkeeper" })).createdBy).toBe("bookkeeper");
  const { keys } = JSON.parse((await cli.run("keys", ["list", "--json"])).out);
  const made = keys.find(({ name }: { name: string }) => name === "bookkeeper");
  expect(JSON.stringify(keys)).not.toContain(secret.trim());
  expect((await cli.run("keys", ["revoke", made.id])).out).toContain("revoked");
  await expect(agent.place({ type: "approval", prompt: "Again" })).rejects.toMatchObject({
    code: "unauthenticated",
  });
});

test("holdpoint people adds, lists, confirms, suspends and invites people, and makes teams", async () => {
  const added = await cli.run("people", ["add", "lin", "--name", "Lin Wu", "--email", "lin@example.com"]);
  expect(added.out).toContain("Lin Wu");
  expect((await cli.run("people", ["team", "crew", "lin"])).out).toMatch(/^crew .*lin/);
  expect((await cli.run("people", ["team", "crew", "lin"])).out).toMatch(/^crew .*lin/);
  expect((await cli.run("people", ["team", "crew"])).out).toMatch(/^crew/);
  expect(JSON.parse((await cli.run("people", ["team", "--json"])).out).teams).toMatchObject([{ id: "crew" }]);
  expect((await cli.run("people", ["suspend", "lin"])).out).toContain("suspended");
  expect((await cli.run("people", ["restore", "lin"])).out).not.toContain("suspended");
  await cli.run("keys", ["make", "operator:mo"]);
  expect((await cli.run("people")).out).toMatch(/mo .*not confirmed/);
  expect((await cli.run("people", ["confirm", "mo"])).out).not.toContain("not confirmed");
  const { out: url } = await cli.run("people", ["invite", "lin"]);
  const { href, searchParams: body } = new URL(url.trim());
  const reply = await fetch(href, { method: "POST", body, redirect: "manual" });
  expect(reply.headers.get("set-cookie")).toContain("holdpoint_session=");
  await expect(cli.run("people", ["invite", "eve"])).rejects.toThrow("there is no person eve");
  await expect(cli.run("people", ["team", "eve"])).rejects.toThrow("there is no team eve");
  await expect(cli.run("people", ["grow", "lin"])).rejects.toThrow("usage:");
  await expect(cli.run("people", ["add"])).rejects.toThrow("usage:");
});

test("holdpoint answer records a vote where several people must agree, and says who is missing", async () => {
  for (const name of ["ana", "bea"]) await cli.run("people", ["add", name]);
  await cli.run("people", ["team", "votes", "ana", "bea"]);
  const made = await cli.run("keys", ["make", "operator:ana", "--json"]);
  const decision = { approve: [{ need: 2, from: ["team:votes"] }] };
  const { id } = await cli.hp.place({ type: "approval", prompt: "Two of you?", decision });
  const env = { HOLDPOINT_API_KEY: JSON.parse(made.out).secret, HOLDPOINT_URL: cli.serving.address };
  const { out } = await cli.run("answer", [id, "approve"], env);
  expect(out).toBe(
    "Your vote is recorded.\n1 of 2 have agreed.\n  ana: approve\n  Still needed: 1 of votes\n",
  );
  expect(wholeAsk(await cli.hp.get(id), { env: {}, isTerminal: false } as Io)).toContain(
    "1 of 2 have agreed.",
  );
});

test("holdpoint people recover signs in an admin on the machine while the server is stopped, and the log records it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-recover-"));
  const env = { HOLDPOINT_HOME: folder, HOLDPOINT_PORT: "0" };
  const first = await serve(readConfig(env, folder), env, () => undefined);
  await expect(cli.run("people", ["recover", "ada"], env)).rejects.toThrow();
  await first.close();
  const { out: url } = await cli.run("people", ["recover", "ada"], env);
  const again = await cli.run("people", ["recover", "ada"], env);
  expect(again.out).not.toBe(url);
  const second = await serve(readConfig(env, folder), env, () => undefined);
  const token = new URL(url.trim()).searchParams.get("token");
  const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };
  const reply = await fetch(`${second.address}/signin?token=${token}`, {
    headers: browser,
    redirect: "manual",
  });
  const cookie = reply.headers.get("set-cookie")?.split(";")[0] ?? "";
  const me = (await (await fetch(`${second.address}/v1/me`, { headers: { cookie } })).json()) as object;
  expect(me).toMatchObject({ name: "ada", role: "admin", kind: "session" });
  const events = await second.server.engine.store.events({ stream: "person:ada", after: 0, limit: 9 });
  expect(events.map(({ type, actor }) => `${type} ${actor}`)).toEqual(["person.added system"]);
  await second.close();
  rmSync(folder, { recursive: true, force: true });
});

test("holdpoint console prints a link that signs in once", async () => {
  const link = (await cli.run("console")).out.trim();
  const path = link.slice(link.indexOf("/signin"));
  const open = () =>
    fetch(`${cli.serving.address}${path}`, { redirect: "manual", headers: { "user-agent": "Mozilla/5.0" } });
  const first = await open();
  expect(first.status).toBe(303);
  expect(first.headers.get("set-cookie")).toMatch(/^holdpoint_session=[\w-]{43};.* HttpOnly; SameSite=Lax/);
  expect((await open()).status).toBe(401);
});

describe("holdpoint verify and backup", () => {
  test("holdpoint verify and backup copy the database beside the running server and find the log intact", async () => {
    expect((await cli.run("verify")).out).toMatch(/^whole {2}\d+ events in \d+ streams/);
    const file = join(cli.home, "copy.db");
    expect((await cli.run("backup", [file])).out.trim()).toBe(file);
    expect(await cli.run("verify", ["--backup", file])).toMatchObject({ code: 0 });
    await expect(cli.run("backup", [file])).rejects.toThrow(/already exists/);
  });

  test("holdpoint backup writes one self-contained file that only its owner can read", async () => {
    const file = join(cli.home, "alone.db");
    await cli.run("backup", [file]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const db = new DatabaseSync(file, { readOnly: true });
    expect(db.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "delete" });
    db.close();
  });

  test.each([
    ["does not exist", null, /^there is no file .+gone\.db$/],
    ["was cut off", 20_000, /cut\.db is damaged/],
  ])("holdpoint verify reports a backup file that %s", async (_how, bytes, words) => {
    const file = join(cli.home, bytes === null ? "gone.db" : "cut.db");
    if (bytes !== null) {
      await cli.run("backup", [join(cli.home, "to-cut.db")]);
      writeFileSync(file, readFileSync(join(cli.home, "to-cut.db")).subarray(0, bytes));
    }
    await expect(cli.run("verify", ["--backup", file])).rejects.toThrow(words);
  });

  test("holdpoint verify accepts a known anchor and reports an unknown one", async () => {
    await cli.serving.server.checkpointer.make();
    const { anchor } = JSON.parse((await cli.run("verify", ["--json"])).out);
    expect((await cli.run("verify", ["--anchor", anchor])).code).toBe(0);
    const output = await cli.run("verify", ["--anchor", anchor, "--anchor", "sha256:another"]);
    expect(output.code).toBe(1);
    expect(output.out).toMatch(/checkpoint:sha256:another: this checkpoint, which was stored elsewhere/);
  });

  test("attack 5: holdpoint verify misses the checkpoint that this machine's server signed last, without being told of it", async () => {
    await cli.hp.place({ type: "approval", prompt: "Signed" });
    await cli.serving.server.checkpointer.make();
    expect((await cli.run("verify")).code).toBe(0);
    const { anchorFile } = cli.serving.config;
    const signed = readFileSync(anchorFile, "utf8");
    writeFileSync(anchorFile, JSON.stringify({ id: "cp_000000000000009", hash: "sha256:gone" }));
    const output = await cli.run("verify");
    writeFileSync(anchorFile, signed);
    expect(output.code).toBe(1);
    expect(output.out).toMatch(/checkpoint:sha256:gone: this checkpoint, which was stored elsewhere/);
  });

  test("holdpoint verify does not miss a checkpoint that a running server signs while the log is copied", async () => {
    const { anchorFile } = cli.serving.config;
    const signed = readFileSync(anchorFile, "utf8");
    await using copies = await temporaryFolder();
    vi.stubEnv("TMPDIR", copies.path);
    const verifying = cli.run("verify");
    while (readdirSync(copies.path).length === 0) await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(anchorFile, JSON.stringify({ id: "cp_000000000000009", hash: "sha256:signed-meanwhile" }));
    const output = await verifying.finally(() => vi.unstubAllEnvs());
    writeFileSync(anchorFile, signed);
    expect(output).toMatchObject({ code: 0, out: expect.stringMatching(/^whole/) });
  });

  test("holdpoint verify names the first broken event and exits with 1", async () => {
    const file = join(cli.home, "forged.db");
    await cli.run("backup", [file]);
    const db = new DatabaseSync(file);
    db.exec("UPDATE event SET actor = 'key:somebody' WHERE position = 2");
    db.close();
    const output = await cli.run("verify", ["--backup", file]);
    expect(output.code).toBe(1);
    expect(output.out).toMatch(/^broken {2}first at event 2, number \d+ of \S+: was changed/);
  });
});

describe("wrong arguments", () => {
  test.each([
    ["verify", ["other.db"]],
    ["backup", ["one.db", "two.db"]],
    ["ask", ["Deploy", "build", "7?"]],
    ["answer", ["hold_1", "approve", "now"]],
    ["keys", ["make", "agent:a", "agent:b"]],
    ["inbox", ["please"]],
    ["start", ["now"]],
    ["console", ["please"]],
    ["doctor", ["please"]],
  ])("holdpoint %s refuses extra arguments: %j", async (name, args) => {
    await expect(cli.run(name, args)).rejects.toThrow(/^unexpected argument ".+"\. .+\nusage: holdpoint/s);
  });

  test("holdpoint backup refuses a target folder that does not exist", async () => {
    await expect(cli.run("backup", [join(cli.home, "no", "copy.db")])).rejects.toThrow(/there is no folder/);
  });

  test.each([
    [["constructor"], 2, /^holdpoint: there is no command "constructor"/],
    [["ask", ""], 1, /^holdpoint: \/prompt: .+ \(invalid_body\)\n$/],
    [["people", "invite", "a\u001b[2Kda"], 1, /^holdpoint: there is no person a⟦U\+001B⟧\[2Kda/],
  ])("a wrong command line is reported without a stack trace: %j", async (args, code, words) => {
    const main = join(import.meta.dirname, "main.ts");
    const child = spawn(process.execPath, ["--conditions=@holdpoint/source", main, ...args], {
      cwd: cli.home,
      env: { ...process.env, HOLDPOINT_HOME: cli.home },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(code);
    expect(stderr).toMatch(words);
  });
});

test("a command whose stdout is closed early exits without a stack trace", async () => {
  const main = join(import.meta.dirname, "main.ts");
  const child = spawn(process.execPath, ["--conditions=@holdpoint/source", main, "console"], {
    cwd: cli.home,
    env: { ...process.env, HOLDPOINT_HOME: cli.home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
  expect(stderr).toBe("");
});

test("no control sequence from an agent reaches the terminal", () => {
  const io = { env: {}, isTerminal: false } as unknown as Io;
  const evil = "\u001b[2Jx\u009b";
  const hold = {
    ...{ id: "hold_1", type: `x-${evil}`, prompt: evil, createdBy: evil, createdAt: "then" },
    ...{ context: { evil }, options: [{ id: evil, label: evil, description: evil }] },
    ...{ expiresAt: "2030-01-01T00:00:00.000Z", onTimeout: { action: evil } },
  } as unknown as Hold;
  const outcomes = [
    { kind: "decided", action: evil, data: { evil }, by: { kind: "key", name: evil }, door: "rest" },
    { kind: "expired", default: { action: evil } },
    { kind: "cancelled", reason: evil },
  ] as unknown as readonly Outcome[];
  const shown = [
    wholeAsk(hold, io),
    holdLine(hold, io, 0),
    ...outcomes.map((outcome) => outcomeText(outcome, io)),
  ];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must be removed.
  expect(shown.join("\n")).not.toMatch(/[\u001b\u009b]/);
});

test("an outcome through a link given to the asking agent is shown without a person's name", () => {
  const io = { env: {}, isTerminal: false } as unknown as Io;
  const by = { kind: "link", id: "link_1", givenTo: "asker", claimed: { name: "Ada" } } as const;
  const at = "2030-01-01T00:00:00.000Z";
  const shown = outcomeText({ kind: "decided", action: "approve", data: {}, by, door: "page", at }, io);
  expect(shown).toBe("approve by a link that was given to the asking agent, through page");
});

describe("holdpoint doctor", () => {
  test("holdpoint doctor reports no problem in a healthy cli.home folder", async () => {
    const output = await cli.run("doctor", ["--json"]);
    expect(output.code).toBe(0);
    const names = JSON.parse(output.out).map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(["runtime", "settings", "home", "secrets", "database", "server", "disk"]),
    );
  });

  test("holdpoint doctor says how to fix each problem", async () => {
    const secrets = ["credentials.json", "signing-key.json", "result-key.json", "secret-key"].map((name) =>
      join(cli.home, name),
    );
    for (const file of secrets) chmodSync(file, 0o644);
    const output = await cli.run("doctor", [], { HOLDPOINT_WEBHOOK_ALLOW: "not a host!" });
    for (const file of secrets) chmodSync(file, 0o600);
    expect(output.code).toBe(1);
    for (const file of secrets) expect(output.out).toContain(`${file}: run chmod 600 on it`);
    expect(output.out).toContain("not a host or a range");
    expect((await cli.run("doctor", [], { HOLDPOINT_PORT: "x" })).out).toContain(
      "HOLDPOINT_PORT is not a port",
    );
  });
});

test("the demo's agents wait in one inbox and continue when answered, for every protocol and hold type", async () => {
  const demo = cli.run("demo");
  const answers: readonly (readonly [prompt: string, action: string, data?: JsonObject])[] = [
    ["refund", "approve"],
    ["quarterly report", "select", { selected: ["redact"] }],
    ["budget review", "approve"],
    ["Nordlicht GmbH", "submit", { kind: "fixed", start: "2026-12-01", price: 900 }],
    ["inactive accounts", "confirm", { confirmed_items: ["emails", "backup"] }],
    ["nightly import", "retry"],
    ["fit to be sent", "send"],
  ];
  const types = new Set<string>();
  for (const [prompt, action, data = {}] of answers) {
    const hold = await cli.hp.get(await cli.openHold(prompt));
    types.add(hold.type);
    await cli.hp.answer(hold.id, { action, data });
  }
  expect([...types].toSorted()).toEqual([
    ...["approval", "confirmation", "escalation", "input", "selection", "x-tone-check"],
  ]);
  const { code, out } = await demo;
  for (const line of [
    "paid 79.90 EUR, once, and reported it",
    'resumed its intent with "redact"',
    "resumed its run: the call was executed",
    "followed its 202 to the result",
    'continued with "confirm"',
    'continued with "retry"',
    'continued with "send"',
  ])
    expect(out).toContain(line);
  expect(out).toMatch(/All answered\.[\s\S]*whole {2}\d+ events/);
  expect(code).toBe(0);
}, 60_000);

test("only its owner can read the credentials file, and it contains url and key", () => {
  const file = join(cli.home, "credentials.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
    url: cli.serving.address,
    api_key: expect.stringMatching(/^hp_/),
  });
});

test("without a server the commands say how to start one", async () => {
  const empty = mkdtempSync(join(tmpdir(), "holdpoint-none-"));
  try {
    await expect(cli.run("inbox", [], { HOLDPOINT_HOME: empty })).rejects.toThrow(/npm start/);
    writeFileSync(
      join(empty, "credentials.json"),
      JSON.stringify({ url: "http://127.0.0.1:9", api_key: "x" }),
    );
    await expect(cli.run("inbox", [], { HOLDPOINT_HOME: empty })).rejects.toThrow(/cannot reach a server at/);
    expect(existsSync(join(empty, "holdpoint.db"))).toBe(false);
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
});

test("holdpoint help lists every command", async () => {
  const { out } = await cli.run("help");
  for (const name of ["start", "demo", "inbox", "ask", "answer", "keys", "verify", "backup", "doctor"])
    expect(out).toContain(name);
});
