/**
 * A hold client directly over the engine, for code that runs in the server's own process: the same checks, permissions, wire
 * objects and errors as over HTTP, because both call the functions in `calls/`.
 *
 * I1  What goes in and what comes out is copied, so that no caller shares an object with the engine.
 * I2  A call that is given up (`signal`) rejects with the signal's reason; what was already committed stays.
 */

import {
  type AnswerGiven,
  type CallOptions,
  type CancelGiven,
  type Check,
  type CheckClient,
  type CheckGiven,
  type Claim,
  type ClaimGiven,
  type ClaimResult,
  type FileClient,
  type FileGiven,
  type FollowOptions,
  fromWire,
  type Group,
  type GroupEntry,
  type GroupPlace,
  type Hold,
  type HoldClient,
  type HoldEvent,
  type HoldPage,
  type HoldQuery,
  isRefusal,
  type Link,
  type LinkGiven,
  type Place,
  type Received,
  type Skip,
  type SkipGiven,
  type StandingCalls,
  type StandingClient,
  snake,
  type Thread,
  type ThreadClient,
  type ThreadGiven,
  toWire,
  type UploadedFile,
  type WaitOptions,
} from "@holdpoint/protocol/client";
import type { Principal } from "../../../kernel/principal.ts";
import { afterLongText } from "../../http/body.ts";
import type { CallDeps, Caller } from "../calls/caller.ts";
import { checkCall, recordStandingCalls } from "../calls/checks.ts";
import { claimHold, finishClaim, releaseClaim, revokeHold } from "../calls/claims.ts";
import { followEvents, holdEvents } from "../calls/events.ts";
import { readFile, uploadFile } from "../calls/files.ts";
import { answerGroup, type GroupCommand, getGroup, placeGroup } from "../calls/groups.ts";
import { answerHold, cancelHold, getHold, placeHold, withdrawVote } from "../calls/holds.ts";
import { listLinks, makeLink, revokeLink } from "../calls/links.ts";
import { listHolds } from "../calls/list-holds.ts";
import { recordSkip } from "../calls/skips.ts";
import { forgetThread, getThread, keepThread } from "../calls/threads.ts";
import { operations } from "../operations.ts";
import { attempt, clientError } from "./attempt.ts";
import { readParts } from "./read-parts.ts";

export interface InProcess {
  readonly workspace: string;
  /** The principal it acts as. It needs no key, because only this process can create it. */
  readonly principal: Principal;
  /** How it places groups, if not by the kernel's command. */
  readonly groupCommand?: GroupCommand;
}

export function inProcessClient(
  deps: CallDeps,
  { workspace, principal: by, groupCommand }: InProcess,
): HoldClient & ThreadClient & FileClient & CheckClient & StandingClient {
  return new InProcessClient(deps, { workspace, by }, groupCommand);
}

const EVENTS_A_PAGE = 200;

class InProcessClient implements HoldClient, ThreadClient, FileClient, CheckClient, StandingClient {
  readonly #deps: CallDeps;
  readonly #caller: Caller;
  readonly #groupCommand: GroupCommand | undefined;

  constructor(deps: CallDeps, caller: Caller, groupCommand: GroupCommand | undefined) {
    this.#deps = deps;
    this.#caller = caller;
    this.#groupCommand = groupCommand;
  }

  place(place: Place, options?: CallOptions): Promise<Hold> {
    return this.#call("HoldOut", options, async () => {
      const { body } = await readParts(operations.placeHold, { body: toWire("PlaceIn", place) });
      return (await placeHold(this.#caller, body, undefined, this.#deps)).hold;
    });
  }

  get(holdId: string, options?: CallOptions): Promise<Hold> {
    return this.#get(holdId, 0, options);
  }

  wait(holdId: string, { waitMs = Number.POSITIVE_INFINITY, ...options }: WaitOptions = {}): Promise<Hold> {
    return this.#get(holdId, Math.max(0, waitMs), options);
  }

  list(query: HoldQuery = {}, options?: CallOptions): Promise<HoldPage> {
    const given = Object.fromEntries(Object.entries(query).map(([name, value]) => [snake(name), value]));
    return this.#call("HoldListOut", options, async () => {
      const read = await readParts(operations.listHolds, { query: given });
      return listHolds(this.#caller, read.query, this.#deps);
    });
  }

  answer(holdId: string, answer: AnswerGiven, options: CallOptions = {}): Promise<Hold> {
    return this.#call("HoldOut", options, async () => {
      const given = { params: { id: holdId }, body: toWire("AnswerIn", answer) };
      const { params, body } = await readParts(operations.answerHold, given);
      return answerHold(this.#caller, params.id, body, { door: options.door }, this.#deps);
    });
  }

  withdrawVote(holdId: string, options?: CallOptions): Promise<Hold> {
    return this.#call("HoldOut", options, async () => {
      const { params } = await readParts(operations.withdrawVote, { params: { id: holdId } });
      return withdrawVote(this.#caller, params.id, this.#deps);
    });
  }

  cancel(holdId: string, cancel: CancelGiven = {}, options?: CallOptions): Promise<Hold> {
    return this.#call("HoldOut", options, async () => {
      const given = { params: { id: holdId }, body: toWire("CancelIn", cancel) };
      const { params, body } = await readParts(operations.cancelHold, given);
      return cancelHold(this.#caller, params.id, body, this.#deps);
    });
  }

  claim(holdId: string, claim: ClaimGiven, options?: CallOptions): Promise<Claim> {
    return this.#call("ClaimOut", options, async () => {
      const given = { params: { id: holdId }, body: toWire("ClaimIn", claim) };
      const { params, body } = await readParts(operations.claimHold, given);
      return claimHold(this.#caller, params.id, body, undefined, this.#deps);
    });
  }

  finishClaim(holdId: string, claimId: string, result: ClaimResult, options?: CallOptions): Promise<Claim> {
    return this.#call("ClaimOut", options, async () => {
      const given = { params: { id: holdId, claim_id: claimId }, body: toWire("ClaimDoneIn", result) };
      const { params, body } = await readParts(operations.finishClaim, given);
      return finishClaim(this.#caller, params.id, params.claim_id, body, this.#deps);
    });
  }

  releaseClaim(holdId: string, reason?: string, options?: CallOptions): Promise<Hold> {
    return this.#call("HoldOut", options, async () => {
      const body = reason === undefined ? {} : { reason };
      const { params } = await readParts(operations.releaseClaim, { params: { id: holdId }, body });
      return releaseClaim(this.#caller, params.id, this.#deps);
    });
  }

  revoke(holdId: string, options?: CallOptions): Promise<Hold> {
    return this.#call("HoldOut", options, async () => {
      const { params } = await readParts(operations.revokeHold, { params: { id: holdId } });
      return revokeHold(this.#caller, params.id, this.#deps);
    });
  }

  async events(holdId: string, options?: CallOptions): Promise<readonly HoldEvent[]> {
    const all: HoldEvent[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const given = { params: { id: holdId }, query: { after, limit: EVENTS_A_PAGE } };
      const page: Received["EventListOut"][1] = await this.#call("EventListOut", options, async () => {
        const { params, query } = await readParts(operations.holdEvents, given);
        return holdEvents(this.#caller, params.id, query, this.#deps);
      });
      all.push(...page.events);
      after = page.nextAfter;
    }
    return all;
  }

  async *follow(options: FollowOptions = {}): AsyncGenerator<HoldEvent, void> {
    const { signal = new AbortController().signal, holdIds, types } = options;
    let { after } = options;
    while (!signal.aborted) {
      const given = { hold_id: holdIds?.join(","), types: types?.join(","), after };
      try {
        const begun = await attempt(this.#deps.engine.clock, signal, async () => {
          const { query } = await readParts(operations.streamEvents, { query: given });
          return followEvents(this.#caller, { ...query, holdIds: query.hold_id }, this.#deps);
        });
        after = begun.after;
        options.onOpen?.();
        for await (const events of begun.batches(signal)) {
          for (const event of events) {
            yield fromWire("EventOut", event);
            after = event.position;
          }
        }
      } catch (fault) {
        if (signal.aborted) return;
        // The reader fell too far behind: it continues after the last event that it got.
        if (!(fault instanceof Error && fault.name === "FeedOverrun")) throw clientError(fault);
      }
    }
  }

  placeGroup(group: GroupPlace, options?: CallOptions): Promise<Group> {
    return this.#call("GroupOut", options, async () => {
      const { body } = await readParts(operations.placeGroup, { body: toWire("GroupIn", group) });
      return (await placeGroup(this.#caller, body, this.#deps, this.#groupCommand)).group;
    });
  }

  getGroup(groupId: string, options?: CallOptions): Promise<Group> {
    return this.#call("GroupOut", options, async () => {
      const { params } = await readParts(operations.getGroup, { params: { id: groupId } });
      return getGroup(this.#caller, params.id, { gone: never }, this.#deps);
    });
  }

  answerGroup(groupId: string, entries: readonly GroupEntry[], options: CallOptions = {}): Promise<Group> {
    return this.#call("GroupOut", options, async () => {
      const given = { params: { id: groupId }, body: toWire("GroupAnswerIn", { entries }) };
      const { params, body } = await readParts(operations.answerGroup, given);
      return answerGroup(this.#caller, params.id, body, options.door, this.#deps);
    });
  }

  makeLink(holdId: string, link: LinkGiven = {}, options?: CallOptions): Promise<Link> {
    return this.#call("LinkOut", options, async () => {
      const given = { params: { id: holdId }, body: toWire("LinkIn", link) };
      const { params, body } = await readParts(operations.makeLink, given);
      return makeLink(this.#caller, params.id, body, this.#deps);
    });
  }

  async listLinks(holdId: string, options?: CallOptions): Promise<readonly Link[]> {
    const list = await this.#call("LinkListOut", options, async () => {
      const { params } = await readParts(operations.listLinks, { params: { id: holdId } });
      return listLinks(this.#caller, params.id, this.#deps);
    });
    return list.links;
  }

  revokeLink(holdId: string, linkId: string, options?: CallOptions): Promise<Link> {
    return this.#call("LinkOut", options, async () => {
      const given = { params: { id: holdId, link_id: linkId } };
      const { params } = await readParts(operations.revokeLink, given);
      return revokeLink(this.#caller, params.id, params.link_id, this.#deps);
    });
  }

  check(check: CheckGiven, options?: CallOptions): Promise<Check> {
    return this.#call("CheckOut", options, async () => {
      const { body } = await readParts(operations.checkCall, { body: toWire("CheckIn", check) });
      return checkCall(this.#caller, body, this.#deps);
    });
  }

  recordStandingCalls(calls: StandingCalls, options?: CallOptions): Promise<Check> {
    return this.#call("CheckOut", options, async () => {
      const given = { body: toWire("StandingCallsIn", calls) };
      const { body } = await readParts(operations.recordStandingCalls, given);
      return recordStandingCalls(this.#caller, body, this.#deps);
    });
  }

  recordSkip(skip: SkipGiven, options?: CallOptions): Promise<Skip> {
    return this.#call("SkipOut", options, async () => {
      const { body } = await readParts(operations.recordSkip, { body: toWire("SkipIn", skip) });
      return recordSkip(this.#caller, body, this.#deps);
    });
  }

  async getThread(threadId: string, options?: CallOptions): Promise<Thread | null> {
    try {
      return await this.#call("ThreadOut", options, async () => {
        const { params } = await readParts(operations.getThread, { params: { id: threadId } });
        return getThread(this.#caller, params.id, this.#deps);
      });
    } catch (error) {
      if (isRefusal(error, "not_found")) return null;
      throw error;
    }
  }

  keepThread(threadId: string, thread: ThreadGiven, options?: CallOptions): Promise<Thread> {
    return this.#call("ThreadOut", options, async () => {
      const given = { params: { id: threadId }, body: toWire("ThreadIn", thread) };
      const { params, body } = await readParts(operations.keepThread, given);
      return keepThread(this.#caller, params.id, body, this.#deps);
    });
  }

  async forgetThread(threadId: string, options?: CallOptions): Promise<void> {
    await this.#call("ThreadOut", options, async () => {
      const { params } = await readParts(operations.forgetThread, { params: { id: threadId } });
      return forgetThread(this.#caller, params.id, this.#deps);
    });
  }

  uploadFile(holdId: string, file: FileGiven, { signal }: CallOptions = {}): Promise<UploadedFile> {
    const { name, content, claimedName } = file;
    const blob = content instanceof Blob ? content : new Blob([content]);
    return attempt(this.#deps.engine.clock, signal, async () => {
      const query = { hold_id: holdId, name, claimed_name: claimedName };
      const { query: read } = await readParts(operations.uploadFile, { query });
      const { file_id, sha256, bytes } = await uploadFile(
        this.#caller,
        {
          ...{ holdId: read.hold_id, name: read.name, claimedName: read.claimed_name },
          ...{ content: blob.stream(), contentLength: String(blob.size) },
        },
        this.#deps,
      );
      return { file_id, name, sha256, bytes };
    });
  }

  downloadFile(fileId: string, { signal }: CallOptions = {}): Promise<Uint8Array> {
    return attempt(this.#deps.engine.clock, signal, async () => {
      const { params } = await readParts(operations.readFile, { params: { id: fileId } });
      const { content } = await readFile(this.#caller, params.id, this.#deps);
      // Not `Array.fromAsync`: the SDK's testing entry carries this file, and Node 20 does not know it.
      const chunks: Uint8Array[] = [];
      for await (const chunk of content) chunks.push(chunk);
      return new Uint8Array(Buffer.concat(chunks));
    });
  }

  #get(holdId: string, waitMs: number, options: CallOptions = {}): Promise<Hold> {
    const gone = () => options.signal ?? never();
    return this.#call("HoldOut", options, async () => {
      const { params } = await readParts(operations.getHold, { params: { id: holdId } });
      return getHold(this.#caller, params.id, { waitMs, gone }, this.#deps);
    });
  }

  async #call<Name extends keyof Received>(
    name: Name,
    { signal }: CallOptions = {},
    work: () => Promise<Received[Name][0]>,
  ): Promise<Received[Name][1]> {
    const wire = await attempt(this.#deps.engine.clock, signal, work);
    const text = JSON.stringify(wire);
    await afterLongText(text);
    return fromWire(name, JSON.parse(text));
  }
}

function never(): AbortSignal {
  return new AbortController().signal;
}
