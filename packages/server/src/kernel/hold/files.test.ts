import type { Ask } from "@holdpoint/protocol/rules";
import { describe, expect, test } from "vitest";
import {
  ADMIN,
  AGENT,
  APP,
  AUDITOR,
  DEV,
  decidedHold,
  link,
  NOW,
  OPERATOR,
  OTHER_AGENT,
  openHold,
  reviewer,
} from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { closedFor, INTENT_ID, intentRow } from "../../testing/intent-samples.ts";
import { asLogged as describeFact } from "../../testing/tables.ts";
import { NO_PLATFORM } from "../platform.ts";
import { servedFile } from "./files.ts";
import type { Hold, HoldFile } from "./hold.ts";
import { dueAt } from "./time.ts";

const WEEK_MS = 7 * 86_400_000;
const SHA = "a".repeat(64);
const ASK: Ask = {
  type: "input",
  prompt: "The contract?",
  form: { fields: [{ key: "contract", label: "Contract", type: "x-file-upload" }] },
};
const uploaded = (id: string, part: Partial<HoldFile> = {}): HoldFile => ({
  ...{ id, name: "contract.pdf", sha256: SHA, bytes: 3, at: NOW, by: "key:ada" },
  ...part,
});
const holdWith = (part: Partial<Hold> & { readonly intentId?: string } = {}) =>
  openHold({ ask: ASK, ...part });
const { at: _at, by: _by, ...file } = uploaded("f1");
const add = { kind: "add_file", holdId: "h1", file } as const;
const named = (id: string, part = {}) => ({
  contract: { file_id: id, name: "contract.pdf", sha256: SHA, ...part },
});
const answer = (data: object) =>
  ({ kind: "answer_hold", holdId: "h1", action: "submit", data, door: "page" }) as never;

describe("uploading a file to a hold", () => {
  test("an upload adds the file to the hold and writes a salted digest, not the file's hash, to the log", () => {
    const { facts, hold } = given(holdWith()).when(add).then("hold.file_added");
    expect(hold().files).toEqual([uploaded("f1")]);
    const [logged] = facts.map((fact) => describeFact(fact, "default"));
    expect(logged?.data).toMatchObject({ file_id: "f1", bytes: 3, digest: expect.any(String) });
    expect(JSON.stringify(logged)).not.toContain(SHA);
  });

  test("operators, dev, the holder of a link and an app for its named user may upload a file", () => {
    const opened = given(holdWith(), link());
    for (const by of [OPERATOR, ADMIN, DEV]) opened.when(add, { by }).then("hold.file_added");
    opened.when({ ...add, linkHash: "hash-1" }, { by: reviewer(link().body) }).then("hold.file_added");
    const own = given(holdWith({ createdBy: APP.name, askedByApp: true }));
    own.when(add, { by: { ...APP, claimed: { name: "Ada" } } }).then("hold.file_added");
    own.when(add, { by: APP }).refused("not_allowed");
  });

  test("G7 the agent that asked and an auditor may not upload a file, and strangers get not_found", () => {
    const opened = given(holdWith(), link({ holdId: "h2" }));
    opened.when(add, { by: AGENT }).refused("not_allowed");
    opened.when(add, { by: AUDITOR }).refused("not_allowed");
    opened.when(add, { by: OTHER_AGENT }).refused("not_found");
    opened.when({ ...add, linkHash: "hash-1" }, { by: reviewer(link().body) }).refused("not_found");
    given().when(add).refused("not_found");
  });

  test("an inline token that is limited to some actions may upload a file", () => {
    const inline = link({ purpose: "submit", actions: ["submit"] });
    given(holdWith(), inline)
      .when({ ...add, linkHash: "hash-1" }, { by: reviewer(inline.body) })
      .then("hold.file_added");
  });

  test("an upload is refused when the ask has no file field or the hold already has 20 files", () => {
    given(openHold()).when(add).refused("no_file_wanted");
    const files = Array.from({ length: 20 }, (_, at) => uploaded(`f${at}`));
    given(holdWith({ files })).when(add).refused("too_many_files");
  });

  test("attack 12: uploads are counted for the workspace, and one that does not fit is refused with what to do", () => {
    const platform = { ...NO_PLATFORM, fileBytesMax: 7 };
    const first = given(holdWith()).when(add, { platform }).then("hold.file_added");
    expect(first.get("file_usage", "workspace")).toEqual({ bytes: 3 });
    const second = first.when({ ...add, file: { ...file, id: "f2" } }, { platform }).then("hold.file_added");
    const { reply } = second
      .when({ ...add, file: { ...file, id: "f3" } }, { platform })
      .refused("file_quota_reached");
    expect(reply).toMatchObject({
      failure: { message: expect.stringContaining("raise file_quota_mb") },
    });
    const after = second.when(answer(named("f2"))).then("hold.decided", "hold.files_dropped");
    expect(after.get("file_usage", "workspace")).toEqual({ bytes: 3 });
  });

  test("attack 12: files from before anything was counted count with the first upload, and dropping them never counts below zero", () => {
    const old = holdWith({ files: [uploaded("f0", { bytes: 5 })] });
    const platform = { ...NO_PLATFORM, fileBytesMax: 7 };
    const usedBefore = { bytes: 5, changes: 0 };
    given(old)
      .when({ ...add, usedBefore }, { platform })
      .refused("file_quota_reached");
    const counted = given(old)
      .when({ ...add, usedBefore })
      .then("hold.file_added");
    expect(counted.get("file_usage", "workspace")).toEqual({ bytes: 8 });
    const fewer = given(old, { kind: "file_usage", id: "workspace", body: { bytes: 2 } })
      .when(answer({}))
      .then("hold.decided", "hold.files_dropped");
    expect(fewer.get("file_usage", "workspace")).toEqual({ bytes: 0 });
  });

  test("a count that an upload or a drop overlapped is not kept, and the next upload counts again", () => {
    const old = holdWith({ files: [uploaded("f0", { bytes: 5 })] });
    const dropped = given(old).when(answer({})).then("hold.decided", "hold.files_dropped");
    expect(dropped.get("file_usage", "workspace")).toEqual({ changes: 1 });
    const changed = given(holdWith(), { kind: "file_usage", id: "workspace", body: { changes: 1 } });
    const tooLate = changed.when({ ...add, usedBefore: { bytes: 5, changes: 0 } }).then("hold.file_added");
    expect(tooLate.get("file_usage", "workspace")).toEqual({ changes: 2 });
    const inTime = changed.when({ ...add, usedBefore: { bytes: 0, changes: 1 } }).then("hold.file_added");
    expect(inTime.get("file_usage", "workspace")).toEqual({ bytes: 3 });
  });

  test("an upload is refused on a hold that was decided or has expired", () => {
    given(decidedHold({ ask: ASK }))
      .when(add)
      .refused("already_settled");
    given(holdWith({ expiresAt: NOW }))
      .when(add)
      .refused("hold_expired", "hold.expired");
  });

  test("an upload to a hold on an intent is refused unless the caller has access to the intent, and operators always have", () => {
    const onIntent = holdWith({ intentId: INTENT_ID, createdBy: APP.name, askedByApp: true });
    const by = { ...APP, claimed: { id: "u1" } };
    given(onIntent, intentRow()).when(add, { by }).then("hold.file_added");
    const closed = intentRow({ acl: closedFor() });
    given(onIntent, closed).when(add, { by }).refused("not_allowed");
    given(onIntent, closed).when(add, { by: OPERATOR }).then("hold.file_added");
  });
});

describe("answering a hold with a file", () => {
  const files = [uploaded("f1"), uploaded("f2")];

  test("an answer keeps the file it names and drops the other uploads", () => {
    const { hold, facts } = given(holdWith({ files }))
      .when(answer(named("f1")))
      .then("hold.decided", "hold.files_dropped");
    expect(hold().files).toEqual([uploaded("f1")]);
    expect(describeFact(facts[1] as never, "default")?.data).toEqual({ file_ids: ["f2"] });
    given(holdWith({ files: [uploaded("f1")] }))
      .when(answer(named("f1")))
      .then("hold.decided");
  });

  test.each([
    ["of another hold or no longer stored", named("f9")],
    ["with another hash", named("f1", { sha256: "b".repeat(64) })],
    ["with another name", named("f1", { name: "other.pdf" })],
  ])("an answer is refused if the file it names is %s", (_, data) => {
    const { reply } = given(holdWith({ files })).when(answer(data)).refused("invalid_answer");
    expect(reply).toMatchObject({ failure: { problems: [{ key: "contract", rule: "file" }] } });
  });

  test("an answer that names no file drops all uploads", () => {
    const { hold } = given(holdWith({ files })).when(answer({})).then("hold.decided", "hold.files_dropped");
    expect(hold().files).toBeUndefined();
  });
});

describe("dropping files together with their hold", () => {
  const files = [uploaded("f1")];

  test("files are dropped when their hold expires or is cancelled", () => {
    given(holdWith({ files, expiresAt: NOW + 1 }))
      .when({ kind: "tick_hold", holdId: "h1" }, { now: NOW + 1 })
      .then("hold.expired", "hold.files_dropped");
    given(holdWith({ files }))
      .when({ kind: "cancel_hold", holdId: "h1" }, { by: AGENT })
      .then("hold.cancelled", "hold.files_dropped");
  });

  test("files are dropped when their hold is erased", () => {
    const decided = given(holdWith({ files, retainMs: 10 }))
      .when(answer(named("f1")))
      .then("hold.decided");
    const erased = decided
      .when({ kind: "erase_hold", holdId: "h1" }, { by: ADMIN })
      .then("hold.files_dropped", "hold.erased");
    expect(erased.hold().files).toBeUndefined();
    decided
      .when({ kind: "tick_hold", holdId: "h1" }, { now: NOW + 10 })
      .then("hold.files_dropped", "hold.erased");
    given(holdWith({ files, retainMs: 10, expiresAt: NOW }))
      .when({ kind: "tick_hold", holdId: "h1" }, { now: NOW + 10 })
      .then("hold.expired", "hold.files_dropped", "hold.erased");
  });

  test("an upload that no answer uses is dropped after a week", () => {
    const hold = holdWith({ files: [uploaded("f1"), uploaded("f2", { at: NOW + 5 })] });
    expect(dueAt(hold)).toBe(NOW + WEEK_MS);
    const later = given(hold)
      .when({ kind: "tick_hold", holdId: "h1" }, { now: NOW + WEEK_MS })
      .then("hold.files_dropped");
    expect(later.hold().files).toEqual([uploaded("f2", { at: NOW + 5 })]);
    expect(dueAt(later.hold())).toBe(NOW + 5 + WEEK_MS);
  });
});

describe("G9 serving a file", () => {
  const secret: Ask = {
    type: "input",
    prompt: "?",
    form: { fields: [{ key: "contract", label: "Contract", type: "x-file-upload", sensitive: true }] },
  };
  const outcome = (data: object) =>
    ({ ...decidedHold().outcome, data }) as NonNullable<ReturnType<typeof decidedHold>["outcome"]>;
  const decided = (ask: Ask) => decidedHold({ ask, files: [uploaded("f1")], outcome: outcome(named("f1")) });

  test("before the hold is answered, a file is served only to the caller who uploaded it", () => {
    const hold = holdWith({ files: [uploaded("f1")] });
    expect(servedFile(hold, "f1", OPERATOR, undefined)).toEqual(uploaded("f1"));
    for (const by of [ADMIN, AGENT, DEV]) expect(servedFile(hold, "f1", by, undefined)).toBeUndefined();
    expect(servedFile(hold, "f2", OPERATOR, undefined)).toBeUndefined();
  });

  test("after the answer, a file is served to everybody who sees the answer, and to a link only while it is valid", () => {
    const { body } = link();
    const served = (by: typeof AGENT, through?: typeof body) =>
      servedFile(decided(ASK), "f1", by, through) !== undefined;
    for (const by of [AGENT, OPERATOR, AUDITOR]) expect(served(by)).toBe(true);
    expect(served(reviewer(body), body)).toBe(true);
    expect(served(reviewer(body), { ...body, revokedAt: 5 })).toBe(false);
    expect(served(reviewer(body), { ...body, holdId: "h2" })).toBe(false);
    expect(served(OTHER_AGENT)).toBe(false);
  });

  test("a file in a sensitive field is served only to the agent that asked, and to nobody if the hold withholds it", () => {
    expect(servedFile(decided(secret), "f1", AGENT, undefined)).toBeDefined();
    expect(servedFile(decided(secret), "f1", OPERATOR, undefined)).toBeUndefined();
    const hidden: Hold = { ...decided(secret), withholdSensitive: true };
    expect(servedFile(hidden, "f1", AGENT, undefined)).toBeUndefined();
  });
});
