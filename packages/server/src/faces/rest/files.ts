/** Files: uploaded to a hold by whoever may answer it, and read by whoever may read the answer. */

import { Readable } from "node:stream";
import { operations } from "@holdpoint/protocol";
import type { Context, Hono } from "hono";
import type { Visit } from "../../engine/files.ts";
import type { Caller, Identity } from "../../identity/identity.ts";
import type { HoldFile } from "../../kernel/hold/hold.ts";
import { tokenHash } from "../../system/digest.ts";
import { attachment } from "../http/attachment.ts";
import { type Call, callerByCredentials, type MountOptions, mount } from "../http/mount.ts";
import { HttpTrouble } from "../http/respond.ts";
import { keepUpload } from "../http/upload.ts";
import type { RestDeps } from "./deps.ts";
import { withClaimed } from "./holds.ts";
import { refused } from "./refusals.ts";

export function mountFiles(app: Hono, deps: RestDeps, options: MountOptions): void {
  const { identity } = options;
  mount(app, operations.uploadFile, (call) => upload(call, deps), options, {
    authenticate: (c, ip) => caller(c, ip, c.req.query("hold_id"), identity),
  });
  mount(app, operations.readFile, (call) => read(call, deps), options, {
    authenticate: (c, ip) => caller(c, ip, deps.files.holdOf(c.req.param("id") ?? ""), identity),
  });
}

/** By the token of a link, if one was sent; otherwise as everybody. */
async function caller(
  c: Context,
  ip: string,
  holdId: string | undefined,
  identity: Identity,
): Promise<Caller> {
  const token = c.req.query("token");
  if (token === undefined) return callerByCredentials(c, ip, identity);
  const found = await identity.byLink(token, holdId ?? "", ip);
  if (found.ok) return found.caller;
  const { retryAfterMs } = found;
  throw new HttpTrouble(
    retryAfterMs === undefined
      ? { code: "unauthenticated", detail: "this link does not open the hold" }
      : { code: "rate_limited", retryAfterMs },
  );
}

async function upload(call: Call<typeof operations.uploadFile>, deps: RestDeps) {
  const { hold_id: holdId, name, claimed_name: claimed, token } = call.query;
  const by = withClaimed(call.by, claimed === undefined ? undefined : { name: claimed });
  const visit = visitOf(call.workspace, by, holdId, token);
  const kept = await keepUpload(
    deps.files,
    { ...visit, name, content: call.bytes() },
    call.header("content-length"),
  );
  if ("failure" in kept) throw refused(kept.failure, kept.hold, by);
  return { status: 201, body: presentFile(kept, holdId) };
}

function presentFile({ id, name, sha256, bytes }: HoldFile, holdId: string) {
  return { file_id: id, name, sha256, bytes, hold_id: holdId };
}

async function read({ params, query, workspace, by }: Call<typeof operations.readFile>, deps: RestDeps) {
  const visit = visitOf(workspace, by, deps.files.holdOf(params.id) ?? "", query.token);
  const found = await deps.files.read(params.id, visit);
  if (found === undefined) throw new HttpTrouble({ code: "not_found" });
  const content = Readable.toWeb(Readable.from(found.content)) as ReadableStream<Uint8Array>;
  return new Response(content, {
    headers: attachment(found.file.name, found.file.bytes),
  });
}

function visitOf(workspace: string, by: Visit["by"], holdId: string, token: string | undefined): Visit {
  return { workspace, by, holdId, ...(token === undefined ? {} : { linkHash: tokenHash(token) }) };
}
