/** Signed checkpoints of intents' logs, and proofs from them. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import { pagesOf } from "../../../engine/log-pages.ts";
import { merkleProof, merkleRoot } from "../../../engine/merkle.ts";
import { fail } from "../../../faces/http/failure.ts";
import type { Call } from "../../../faces/http/mount.ts";
import { mayManage } from "../../../kernel/principal.ts";
import type { StoredEvent } from "../../../kernel/record.ts";
import { checkpointStatement } from "../../reads/intent-checkpointer.ts";
import type { IntentCheckpoint } from "../../rules/intent/records.ts";
import { readEventId, streamOf } from "../../rules/intent/served.ts";
import type { OpenIntentDeps } from "../deps.ts";
import { enter } from "../enter.ts";
import { intentFailure } from "../errors.ts";
import type { Routes } from "../operations/index.ts";

export const checkpoints = {
  async makeCheckpoint(call, deps) {
    const { workspace, by, body } = call;
    if (!mayManage(by)) throw intentFailure("not_allowed", `the role ${by.role} signs nothing`);
    await enter(body.intent_id, call, deps);
    const made = await deps.checkpoints.make(workspace, body.intent_id);
    if (made === undefined) throw intentFailure("nothing_to_sign", "there is nothing new to sign");
    return { status: 201, body: present(made) };
  },

  async listCheckpoints(call, deps) {
    const { workspace, query } = call;
    const { intent_id: intentId, scope = "intent" } = query;
    if (scope !== "intent") return { status: 200, body: [] };
    if (intentId !== undefined) await enter(intentId, call, deps);
    const index = intentId === undefined ? {} : { index: { name: "intent", value: intentId } };
    const found = await deps.engine.store.query({
      workspace,
      kind: "intent_checkpoint",
      ...index,
      limit: PAGE,
    });
    const all = found.map(({ body }) => body);
    const mayRead = await readable(new Set(all.map((each) => each.intentId)), call, deps);
    return { status: 200, body: all.filter((each) => mayRead.has(each.intentId)).map(present) };
  },

  async getCheckpoint(call, deps) {
    return { status: 200, body: present(await find(call.params.id, call, deps)) };
  },

  async getProof(call, deps) {
    const { workspace, params } = call;
    const checkpoint = await find(params.id, call, deps);
    const place = readEventId(params.event_id);
    const leaf = (place?.seq ?? 0) - checkpoint.firstSeq;
    const events = await covered(workspace, checkpoint, deps);
    const event = place?.intentId === checkpoint.intentId ? events[leaf] : undefined;
    if (event === undefined) throw fail("not_found", "this checkpoint does not cover the event");
    const hashes = events.map(({ hash }) => hash);
    return {
      status: 200,
      body: {
        event_id: params.event_id,
        event_hash: event.hash,
        checkpoint_id: checkpoint.id,
        merkle_root: merkleRoot(hashes),
        proof_hashes: merkleProof(hashes, leaf),
        leaf_index: leaf,
      },
    };
  },

  /** Whether the later checkpoint begins after the earlier one ends, both match the log, and the chain between them is unbroken. */
  async verifyConsistency(call, deps) {
    const { workspace, query } = call;
    const from = await find(query.from_checkpoint, call, deps);
    const to = await find(query.to_checkpoint, call, deps);
    const between =
      to.intentId === from.intentId
        ? await stretch(workspace, to.intentId, from.lastSeq, to.firstSeq, deps)
        : [];
    const linked = between.every((event, at) => at === 0 || event.previous === between[at - 1]?.hash);
    const boundary = between[1];
    const consistent =
      boundary !== undefined &&
      between.length === to.firstSeq - from.lastSeq + 1 &&
      linked &&
      (await isWhatTheLogSays(workspace, from, deps)) &&
      (await isWhatTheLogSays(workspace, to, deps));
    const shown = boundary && {
      sequence: boundary.seq,
      event_hash: boundary.hash,
      previous_event_hash: boundary.previous === "" ? null : boundary.previous,
    };
    const body = {
      from_checkpoint: from.id,
      to_checkpoint: to.id,
      consistent,
      boundary_event: shown ?? null,
    };
    return { status: 200, body };
  },
} satisfies Routes;

function present({ signature, ...statement }: IntentCheckpoint): JsonObject {
  return { ...checkpointStatement(statement), signature };
}

const PAGE = 500;

async function readable(
  intentIds: ReadonlySet<string>,
  call: Pick<Call, "workspace" | "by">,
  deps: OpenIntentDeps,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const id of intentIds) {
    const entered = await enter(id, call, deps).catch(() => undefined);
    if (entered !== undefined) found.add(id);
  }
  return found;
}

/** A place in the chain of a log. */
type Link = Pick<StoredEvent, "seq" | "previous" | "hash">;

/** A checkpoint reveals as much as its log, so only callers who may read the log may read it. */
async function find(
  id: string,
  call: Pick<Call, "workspace" | "by">,
  deps: OpenIntentDeps,
): Promise<IntentCheckpoint> {
  const { workspace } = call;
  const [found] = await deps.engine.store.load([{ workspace, kind: "intent_checkpoint", id, read: true }]);
  if (found === undefined)
    throw fail("not_found", "there is no checkpoint with this id, or this key may not read its log");
  const checkpoint = found.body;
  await enter(checkpoint.intentId, call, deps);
  return checkpoint;
}

function covered(
  workspace: string,
  checkpoint: IntentCheckpoint,
  deps: OpenIntentDeps,
): Promise<readonly Link[]> {
  const { intentId, firstSeq, lastSeq } = checkpoint;
  return stretch(workspace, intentId, firstSeq, lastSeq, deps);
}

/** Without their content, which may be long. */
async function stretch(
  workspace: string,
  intentId: string,
  first: number,
  last: number,
  { engine }: OpenIntentDeps,
): Promise<readonly Link[]> {
  const places = { after: 0, afterSeq: first - 1, limit: Math.max(0, last - first + 1) };
  const links: Link[] = [];
  for await (const page of pagesOf(engine.store, { workspace, stream: streamOf(intentId), ...places }))
    for (const { seq, previous, hash } of page) links.push({ seq, previous, hash });
  return links;
}

async function isWhatTheLogSays(
  workspace: string,
  checkpoint: IntentCheckpoint,
  deps: OpenIntentDeps,
): Promise<boolean> {
  const events = await covered(workspace, checkpoint, deps);
  return events.length > 0 && merkleRoot(events.map(({ hash }) => hash)) === checkpoint.merkleRoot;
}
