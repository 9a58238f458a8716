/** The hold client over HTTP. */

import {
  type AnswerGiven,
  type BrowserToken,
  type BrowserTokenClient,
  type BrowserTokenGiven,
  type CallOptions,
  type CancelGiven,
  type Check,
  type CheckClient,
  type CheckGiven,
  type Claim,
  type ClaimGiven,
  type ClaimResult,
  type CommentGiven,
  camel,
  type DeskClient,
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
  type MoreTime,
  type Place,
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
} from "../client/index.ts";
import type {
  CheckOut,
  ClaimOut,
  EventListOut,
  FileOut,
  GroupOut,
  HoldListOut,
  HoldOut,
  LinkListOut,
  LinkOut,
  SkipOut,
  ThreadOut,
} from "../index.ts";
import { segment } from "./path-segment.ts";
import { refuseUnknown } from "./refuse-unknown.ts";
import { isSameDecision, settleOnce } from "./settle.ts";
import type { Transport } from "./transport.ts";
import { EventLine } from "./wait/event-line.ts";
import { follow } from "./wait/follow.ts";
import { Waits } from "./wait/waits.ts";

const EVENTS_A_PAGE = 200;
/** A mistyped limit would wait for ever. */
const WAIT_OPTIONS: Readonly<Record<keyof WaitOptions, true>> = { waitMs: true, signal: true, door: true };

type Query = Readonly<Record<string, string | number | undefined>>;

export class HttpHoldClient
  implements HoldClient, DeskClient, ThreadClient, FileClient, CheckClient, StandingClient, BrowserTokenClient
{
  readonly #transport: Transport;
  readonly #waits: Waits;

  constructor(transport: Transport, streaming: boolean) {
    this.#transport = transport;
    this.#waits = new Waits(transport, new EventLine(transport), streaming);
  }

  serverUrl(): Promise<string> {
    return this.#transport.url();
  }

  /** Always with a key, so that a lost reply cannot leave a second hold behind. */
  async place(place: Place, { signal }: CallOptions = {}): Promise<Hold> {
    const headers = place.key === undefined ? this.#fresh() : {};
    const body = toWire("PlaceIn", place);
    return fromWire("HoldOut", await this.#post<HoldOut>("/v1/holds", body, "safe", signal, headers));
  }

  async get(holdId: string, { signal }: CallOptions = {}): Promise<Hold> {
    return fromWire("HoldOut", await this.#get<HoldOut>(holdPath(holdId), {}, signal));
  }

  async wait(holdId: string, options: WaitOptions = {}): Promise<Hold> {
    refuseUnknown("option", options, WAIT_OPTIONS);
    return this.#waits.wait(holdId, options);
  }

  async list(query: HoldQuery = {}, { signal }: CallOptions = {}): Promise<HoldPage> {
    const wire = await this.#get<HoldListOut>("/v1/holds", renamed<Query>(query, snake), signal);
    return fromWire("HoldListOut", wire);
  }

  answer(holdId: string, answer: AnswerGiven, { signal, door }: CallOptions = {}): Promise<Hold> {
    return settleOnce(this.#transport, {
      send: () =>
        this.#act(holdId, "answer", toWire("AnswerIn", answer), "unwritten", signal, doorHeader(door)),
      read: () => this.get(holdId, signal === undefined ? {} : { signal }),
      isWanted: (outcome) => isSameDecision(outcome, answer),
      signal,
    });
  }

  async withdrawVote(holdId: string, { signal }: CallOptions = {}): Promise<Hold> {
    const path = `${holdPath(holdId)}/vote`;
    // Sent twice it could take back a vote that was cast in between.
    const wire = await this.#transport.call<HoldOut>({ method: "DELETE", path, repeat: "unwritten", signal });
    return fromWire("HoldOut", wire);
  }

  assign(holdId: string, to: string | null, { signal }: CallOptions = {}): Promise<Hold> {
    return this.#act(holdId, "assign", { to }, "safe", signal);
  }

  comment(
    holdId: string,
    { text, askBack: ask_back }: CommentGiven,
    { signal }: CallOptions = {},
  ): Promise<Hold> {
    return this.#act(holdId, "comments", { text, ask_back }, "safe", signal, this.#fresh());
  }

  /** Not repeated unless the server says that nothing was written: a duration would be added twice. */
  extend(holdId: string, time: MoreTime, { signal }: CallOptions = {}): Promise<Hold> {
    return this.#act(holdId, "extend", time, "by" in time ? "unwritten" : "safe", signal);
  }

  cancel(holdId: string, cancel: CancelGiven = {}, { signal }: CallOptions = {}): Promise<Hold> {
    return settleOnce(this.#transport, {
      send: () => this.#act(holdId, "cancel", toWire("CancelIn", cancel), "unwritten", signal),
      read: () => this.get(holdId, signal === undefined ? {} : { signal }),
      isWanted: (outcome) => outcome.kind === "cancelled",
      signal,
    });
  }

  /** Named by a fresh key, so that a claim whose reply was lost is still ours when asked for again. */
  async claim(holdId: string, claim: ClaimGiven, { signal }: CallOptions = {}): Promise<Claim> {
    const path = `${holdPath(holdId)}/claim`;
    const body = toWire("ClaimIn", claim);
    return fromWire("ClaimOut", await this.#post<ClaimOut>(path, body, "safe", signal, this.#fresh()));
  }

  async finishClaim(
    holdId: string,
    claimId: string,
    result: ClaimResult,
    { signal }: CallOptions = {},
  ): Promise<Claim> {
    const path = `${holdPath(holdId)}/claim/${segment(claimId)}/done`;
    // The same report twice is one report.
    const body = toWire("ClaimDoneIn", result);
    return fromWire("ClaimOut", await this.#post<ClaimOut>(path, body, "safe", signal));
  }

  releaseClaim(holdId: string, reason?: string, { signal }: CallOptions = {}): Promise<Hold> {
    // Released twice could release what somebody has claimed in between.
    return this.#act(holdId, "claim/release", { reason }, "unwritten", signal);
  }

  revoke(holdId: string, { signal }: CallOptions = {}): Promise<Hold> {
    // Taken back twice is taken back once.
    return this.#act(holdId, "revoke", undefined, "safe", signal);
  }

  async events(holdId: string, { signal }: CallOptions = {}): Promise<readonly HoldEvent[]> {
    const all: HoldEvent[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const query = { after, limit: EVENTS_A_PAGE };
      const wire: EventListOut = await this.#get<EventListOut>(`${holdPath(holdId)}/events`, query, signal);
      const page = fromWire("EventListOut", wire);
      all.push(...page.events);
      after = page.nextAfter;
    }
    return all;
  }

  follow(options?: FollowOptions): AsyncIterable<HoldEvent> {
    return follow(this.#transport, options);
  }

  async placeGroup(group: GroupPlace, { signal }: CallOptions = {}): Promise<Group> {
    const body = toWire("GroupIn", group);
    return fromWire("GroupOut", await this.#post<GroupOut>("/v1/groups", body, "unwritten", signal));
  }

  async getGroup(groupId: string, { signal }: CallOptions = {}): Promise<Group> {
    return fromWire("GroupOut", await this.#get<GroupOut>(`/v1/groups/${segment(groupId)}`, {}, signal));
  }

  async answerGroup(
    groupId: string,
    entries: readonly GroupEntry[],
    { signal, door }: CallOptions = {},
  ): Promise<Group> {
    const path = `/v1/groups/${segment(groupId)}/answer`;
    const body = toWire("GroupAnswerIn", { entries });
    return fromWire(
      "GroupOut",
      await this.#post<GroupOut>(path, body, "unwritten", signal, doorHeader(door)),
    );
  }

  async makeLink(holdId: string, link: LinkGiven = {}, { signal }: CallOptions = {}): Promise<Link> {
    const body = toWire("LinkIn", link);
    return fromWire(
      "LinkOut",
      await this.#post<LinkOut>(`${holdPath(holdId)}/links`, body, "unwritten", signal),
    );
  }

  async listLinks(holdId: string, { signal }: CallOptions = {}): Promise<readonly Link[]> {
    return fromWire("LinkListOut", await this.#get<LinkListOut>(`${holdPath(holdId)}/links`, {}, signal))
      .links;
  }

  async revokeLink(holdId: string, linkId: string, { signal }: CallOptions = {}): Promise<Link> {
    const path = `${holdPath(holdId)}/links/${segment(linkId)}`;
    const wire = await this.#transport.call<LinkOut>({ method: "DELETE", path, repeat: "safe", signal });
    return fromWire("LinkOut", wire);
  }

  async recordSkip(skip: SkipGiven, { signal }: CallOptions = {}): Promise<Skip> {
    const body = toWire("SkipIn", skip);
    return fromWire("SkipOut", await this.#post<SkipOut>("/v1/skips", body, "unwritten", signal));
  }

  /** A check that is repeated finds the same hold, so it can be sent again after a lost reply. */
  async check(check: CheckGiven, { signal }: CallOptions = {}): Promise<Check> {
    const body = toWire("CheckIn", check);
    return fromWire("CheckOut", await this.#post<CheckOut>("/v1/checks", body, "safe", signal));
  }

  /** Sent again after a lost reply, so that no call is missing in the record; it may then be there twice. */
  async recordStandingCalls(calls: StandingCalls, { signal }: CallOptions = {}): Promise<Check> {
    const body = toWire("StandingCallsIn", calls);
    return fromWire("CheckOut", await this.#post<CheckOut>("/v1/checks/standing", body, "safe", signal));
  }

  async makeBrowserToken(given: BrowserTokenGiven, { signal }: CallOptions = {}): Promise<BrowserToken> {
    const wire = await this.#post<object>("/v1/browser-tokens", renamed(given, snake), "unwritten", signal);
    return renamed<BrowserToken>(wire, camel);
  }

  async getThread(threadId: string, { signal }: CallOptions = {}): Promise<Thread | null> {
    try {
      return fromWire("ThreadOut", await this.#get<ThreadOut>(threadPath(threadId), {}, signal));
    } catch (error) {
      if (isRefusal(error, "not_found")) return null;
      throw error;
    }
  }

  /** With a version, repeating a call whose reply was lost is refused instead of overwriting what came after. */
  async keepThread(threadId: string, thread: ThreadGiven, { signal }: CallOptions = {}): Promise<Thread> {
    const wire = await this.#transport.call<ThreadOut>({
      method: "PUT",
      path: threadPath(threadId),
      body: toWire("ThreadIn", thread),
      repeat: "unwritten",
      signal,
    });
    return fromWire("ThreadOut", wire);
  }

  async forgetThread(threadId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.call({ method: "DELETE", path: threadPath(threadId), repeat: "unwritten", signal });
  }

  async uploadFile(holdId: string, file: FileGiven, { signal }: CallOptions = {}): Promise<UploadedFile> {
    const { name, content, claimedName } = file;
    const { file_id, sha256, bytes } = await this.#transport.call<FileOut>({
      method: "POST",
      path: "/v1/files",
      query: { hold_id: holdId, name, claimed_name: claimedName },
      content,
      repeat: "unwritten",
      signal,
    });
    return { file_id, name, sha256, bytes };
  }

  async downloadFile(fileId: string, { signal }: CallOptions = {}): Promise<Uint8Array> {
    const path = `/v1/files/${segment(fileId)}`;
    const reply = await this.#transport.open(
      path,
      { accept: "application/octet-stream" },
      signal ?? new AbortController().signal,
    );
    return new Uint8Array(await reply.arrayBuffer());
  }

  #get<Wire>(path: string, query: Query, signal: AbortSignal | undefined): Promise<Wire> {
    return this.#transport.call<Wire>({ method: "GET", path, query, repeat: "safe", signal });
  }

  /** Posts to a hold and gives the hold as it then is. */
  async #act(
    holdId: string,
    verb: string,
    body: unknown,
    repeat: "safe" | "unwritten",
    signal: AbortSignal | undefined,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Hold> {
    const path = `${holdPath(holdId)}/${verb}`;
    return fromWire("HoldOut", await this.#post<HoldOut>(path, body, repeat, signal, headers));
  }

  #fresh(): Readonly<Record<string, string>> {
    return { "idempotency-key": this.#transport.runtime.newKey() };
  }

  #post<Wire>(
    path: string,
    body: unknown,
    repeat: "safe" | "unwritten",
    signal: AbortSignal | undefined,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Wire> {
    return this.#transport.call<Wire>({ method: "POST", path, body, repeat, signal, headers });
  }
}

/** Members of the object itself; what is inside them stays as it is. */
function renamed<Members extends object>(given: object, rename: (name: string) => string): Members {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [rename(name), value])) as Members;
}

function doorHeader(door: CallOptions["door"]): Readonly<Record<string, string>> {
  return door === undefined ? {} : { "x-holdpoint-door": door };
}

function holdPath(holdId: string): string {
  return `/v1/holds/${segment(holdId)}`;
}

function threadPath(threadId: string): string {
  return `/v1/threads/${segment(threadId)}`;
}
