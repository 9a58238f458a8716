/** The terminal names the person who acted, and nobody where nobody decided (G5). */

import type { Outcome } from "@holdpoint/protocol/client";
import { beforeAll, expect, test } from "vitest";
import { commandLine } from "./commands.fixture.ts";
import { outcomeText, wholeAsk } from "./show.ts";

const cli = commandLine();
const io = {
  ...{ env: {}, folder: "", isTerminal: false, now: () => 0 },
  ...{ out: () => undefined, err: () => undefined },
};
const NAMES = ["ada", "grace"] as const;
const ANYBODY = /\b(ada|grace|dev)\b/;

/** Environments in which the command line has the key of this person. */
const as: Record<string, Record<string, string>> = {};
beforeAll(async () => {
  for (const name of NAMES) {
    await cli.run("people", ["add", name, "--name", name]);
    const { out } = await cli.run("keys", ["make", `operator:${name}`, "--json"]);
    as[name] = { HOLDPOINT_API_KEY: JSON.parse(out).secret };
  }
});

/** What `holdpoint ask` prints to a script that asks again after the end. */
const askedAgain = async (prompt: string) =>
  (await cli.run("ask", [prompt, "--key", prompt, "--timeout", "1h"])).out;

const placed = (prompt: string, more = {}) =>
  cli.hp.place({ type: "approval", prompt, key: prompt, timeout: "1h", ...more });

test("holdpoint answer and ask name who decided", async () => {
  const { id } = await placed("Deploy?");
  const { out } = await cli.run("answer", [id, "approve"], as["ada"]);
  expect(out).toBe("approve by ada, through cli\n");
  expect(await askedAgain("Deploy?")).toBe(out);
});

test("holdpoint ask names nobody for a hold that was cancelled or has expired", async () => {
  const { id } = await placed("Withdrawn?");
  await cli.run("assign", [id, "ada"], as["grace"]);
  await cli.hp.cancel(id);
  expect(await askedAgain("Withdrawn?")).toBe("cancelled nobody decided\n");
  const expired: Outcome = { kind: "expired", at: "2026-01-01T00:00:00Z", default: { action: "reject" } };
  expect(outcomeText(expired, io)).not.toMatch(ANYBODY);
});

test("the inbox names who asked, who voted and who wrote a comment", async () => {
  const decision = { approve: [{ need: 2, from: NAMES.map((name) => `person:${name}`) }] };
  const { id } = await placed("Pay?", { decision });
  const voted = await cli.run("answer", [id, "approve"], as["grace"]);
  expect(voted.out).toContain("1 of 2");
  expect(voted.out).toContain("grace");
  await cli.run("comment", [id, "I have checked it."], as["ada"]);
  const said = wholeAsk(await cli.hp.get(id), io);
  for (const line of ["asked by dev", "grace", "ada: I have checked it."]) expect(said).toContain(line);
});
