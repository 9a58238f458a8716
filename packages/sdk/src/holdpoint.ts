/** The client an agent's author uses: ask and go on, wait for several, run what was approved exactly once. */

import type {
  AnswerGiven,
  CallOptions,
  CancelGiven,
  Claim,
  ClaimGiven,
  ClaimResult,
  FileClient,
  FileGiven,
  FollowOptions,
  Group,
  GroupEntry,
  GroupPlace,
  Hold,
  HoldClient,
  HoldEvent,
  HoldPage,
  HoldQuery,
  Link,
  LinkGiven,
  Place,
  RunOnceOptions,
  Skip,
  SkipGiven,
  Thread,
  ThreadClient,
  ThreadGiven,
  UploadedFile,
  WaitOptions,
} from "@holdpoint/protocol/client";
import { runOnce } from "@holdpoint/protocol/client";
import { type HttpClientOptions, httpHoldClient } from "@holdpoint/protocol/http";
import type { JsonObject } from "@holdpoint/protocol/rules";
import { parseOf } from "./define-hold.ts";
import { type AskOutcome, type DecidedOutcome, outcomeOf, type SettledOutcome } from "./outcome.ts";
import type { ActionsOf, AnswersOf } from "./question.ts";
import { type AnyOptions, everyOutcome, type FirstDecided, firstDecided } from "./together.ts";

/** Where the server is, who calls, and how patiently. */
export type HoldpointOptions = HttpClientOptions;

type AnyClient = HoldClient & Partial<ThreadClient> & Partial<FileClient> & { serverUrl?(): Promise<string> };

/** A question, a hold, or a hold's id. */
export type Holdlike = Place | Hold | string;

/**
 * Talks to a Holdpoint server.
 *
 * Address and key come from the options, from `HOLDPOINT_URL` and `HOLDPOINT_API_KEY`, or from the credentials file that a
 * local server leaves in `.holdpoint`. Nothing is looked up or sent before the first call.
 *
 * @example
 * ```ts
 * import { Holdpoint } from "@holdpoint/sdk";
 *
 * const hp = new Holdpoint();
 * const outcome = await hp.ask({
 *   key: "refund:1042",
 *   type: "approval",
 *   prompt: "Refund 80 EUR to Ada Park?",
 *   context: { order: "1042", amount: 80 },
 *   timeout: "2h",
 *   onTimeout: "reject",
 * });
 * if (outcome.kind === "decided" && outcome.action === "approve") console.error("refund now");
 * ```
 */
export class Holdpoint implements HoldClient, ThreadClient, FileClient {
  readonly #client: AnyClient;

  /** With options: over HTTP. With a hold client: over that one, as in the server's own process. */
  constructor(options: HoldpointOptions | { readonly client: AnyClient } = {}) {
    this.#client = "client" in options ? options.client : httpHoldClient(options);
  }

  /**
   * Places a hold and waits for its outcome: minutes or weeks, across lost connections and restarts of either side. After a
   * crash, ask again with the same key: the answer that came meanwhile is found.
   *
   * With `waitMs` it waits that long at most, and the outcome may be `pending`.
   */
  ask<const Asked extends Place>(
    place: Asked,
    options: WaitOptions & { readonly waitMs: number },
  ): Promise<AskOutcome<AnswersOf<Asked>, ActionsOf<Asked>>>;
  ask<const Asked extends Place>(
    place: Asked,
    options?: CallOptions,
  ): Promise<SettledOutcome<AnswersOf<Asked>, ActionsOf<Asked>>>;
  async ask(place: Place, options: WaitOptions = {}): Promise<AskOutcome> {
    const { signal } = options;
    const placed = await this.#client.place(place, signal === undefined ? {} : { signal });
    const hold = placed.status === "open" ? await this.#client.wait(placed.id, options) : placed;
    const parse = parseOf(place);
    if (parse === undefined || hold.outcome?.kind !== "decided") return outcomeOf(hold);
    const data = (await parse(hold.outcome.data)) as JsonObject;
    return outcomeOf({ ...hold, outcome: { ...hold.outcome, data } });
  }

  /** How a hold stands: at once, or as soon as it has an outcome within `waitMs`. */
  async outcome(hold: Hold | string, options: WaitOptions = {}): Promise<AskOutcome> {
    return outcomeOf(await this.#client.wait(idOf(hold), { waitMs: 0, ...options }));
  }

  /**
   * Waits for the first decision among several holds; questions among them are placed first. If all of them end without
   * a decision, the ending that came last.
   *
   * @example
   * ```ts
   * import { Holdpoint } from "@holdpoint/sdk";
   *
   * const hp = new Holdpoint();
   * const ask = (answerers: string[]) => ({ type: "approval", prompt: "Deploy?", answerers }) as const;
   * const { outcome } = await hp.any([ask(["mara"]), ask(["jo"])], { cancelLosers: true });
   * ```
   */
  async any(holds: readonly Holdlike[], options: AnyOptions = {}): Promise<FirstDecided> {
    return firstDecided(this.#client, await this.#placed(holds, options.signal), options);
  }

  /** Waits for the outcomes of several holds; questions among them are placed first. */
  async all(holds: readonly Holdlike[], { signal }: CallOptions = {}): Promise<readonly SettledOutcome[]> {
    return everyOutcome(this.#client, await this.#placed(holds, signal), signal);
  }

  /**
   * Runs what was approved at most once, whoever else got the same answer: claims the hold, does the work, and reports what
   * became of it. Whoever repeats it later gets the recorded result, so return something that is JSON; whoever comes while it
   * runs gets a `TerminalError` with the code `claim_taken` and must not do the work.
   *
   * If the work ran and the server cannot be told, the result is returned all the same and `onOutstanding` is called.
   *
   * @example
   * ```ts
   * import { Holdpoint } from "@holdpoint/sdk";
   *
   * const hp = new Holdpoint();
   * const outcome = await hp.ask({ key: "deploy:7", type: "approval", prompt: "Deploy 7?" });
   * if (outcome.kind === "decided" && outcome.action === "approve") {
   *   await hp.runOnce(outcome, async () => console.error("deploying"));
   * }
   * ```
   */
  runOnce<Result>(
    outcome: Pick<DecidedOutcome, "holdId" | "hold">,
    work: (claim: Claim) => Promise<Result> | Result,
    options: RunOnceOptions<Result> = {},
  ): Promise<Result> {
    return runOnce(this.#client, outcome.hold, work, options);
  }

  async #placed(holds: readonly Holdlike[], signal: AbortSignal | undefined): Promise<readonly string[]> {
    const options = signal === undefined ? {} : { signal };
    return Promise.all(
      holds.map(async (hold) => (isPlaced(hold) ? idOf(hold) : (await this.#client.place(hold, options)).id)),
    );
  }

  /** Places a hold, or finds the one placed under the same key before. Repeating it is harmless, also without a key. */
  place(place: Place, options?: CallOptions): Promise<Hold> {
    return this.#client.place(place, options);
  }

  get(holdId: string, options?: CallOptions): Promise<Hold> {
    return this.#client.get(holdId, options);
  }

  /** Resolves when the hold has an outcome, or with the open hold when `waitMs` is up. */
  wait(holdId: string, options?: WaitOptions): Promise<Hold> {
    return this.#client.wait(holdId, options);
  }

  /** Newest first, a page at a time. */
  list(query?: HoldQuery, options?: CallOptions): Promise<HoldPage> {
    return this.#client.list(query, options);
  }

  /** Answers as the person the credential stands for. An agent's own key is refused. */
  answer(holdId: string, answer: AnswerGiven, options?: CallOptions): Promise<Hold> {
    return this.#client.answer(holdId, answer, options);
  }

  cancel(holdId: string, cancel?: CancelGiven, options?: CallOptions): Promise<Hold> {
    return this.#client.cancel(holdId, cancel, options);
  }

  /** Succeeds once per approved hold, or as often as its `uses` says; `runOnce` does the whole of it. */
  claim(holdId: string, claim: ClaimGiven, options?: CallOptions): Promise<Claim> {
    return this.#client.claim(holdId, claim, options);
  }

  finishClaim(holdId: string, claimId: string, result: ClaimResult, options?: CallOptions): Promise<Claim> {
    return this.#client.finishClaim(holdId, claimId, result, options);
  }

  releaseClaim(holdId: string, reason?: string, options?: CallOptions): Promise<Hold> {
    return this.#client.releaseClaim(holdId, reason, options);
  }

  /** Takes an approval back: nobody can claim it from then on. What was claimed before is not undone. */
  revoke(holdId: string, options?: CallOptions): Promise<Hold> {
    return this.#client.revoke(holdId, options);
  }

  /** The hold's log so far, oldest first. */
  events(holdId: string, options?: CallOptions): Promise<readonly HoldEvent[]> {
    return this.#client.events(holdId, options);
  }

  /** Events as they are committed, across lost connections, until the signal aborts. */
  follow(options?: FollowOptions): AsyncIterable<HoldEvent> {
    return this.#client.follow(options);
  }

  placeGroup(group: GroupPlace, options?: CallOptions): Promise<Group> {
    return this.#client.placeGroup(group, options);
  }

  getGroup(groupId: string, options?: CallOptions): Promise<Group> {
    return this.#client.getGroup(groupId, options);
  }

  answerGroup(groupId: string, entries: readonly GroupEntry[], options?: CallOptions): Promise<Group> {
    return this.#client.answerGroup(groupId, entries, options);
  }

  makeLink(holdId: string, link?: LinkGiven, options?: CallOptions): Promise<Link> {
    return this.#client.makeLink(holdId, link, options);
  }

  listLinks(holdId: string, options?: CallOptions): Promise<readonly Link[]> {
    return this.#client.listLinks(holdId, options);
  }

  revokeLink(holdId: string, linkId: string, options?: CallOptions): Promise<Link> {
    return this.#client.revokeLink(holdId, linkId, options);
  }

  /** Puts on record that work goes on without a person because its request chose so. */
  recordSkip(skip: SkipGiven, options?: CallOptions): Promise<Skip> {
    return this.#client.recordSkip(skip, options);
  }

  /** What was kept about one of your conversations; null when nothing was. */
  getThread(threadId: string, options?: CallOptions): Promise<Thread | null> {
    return this.#threads.getThread(threadId, options);
  }

  /** Replaces what was kept. With `ifVersion` two runs of one thread cannot overwrite each other. */
  keepThread(threadId: string, thread: ThreadGiven, options?: CallOptions): Promise<Thread> {
    return this.#threads.keepThread(threadId, thread, options);
  }

  forgetThread(threadId: string, options?: CallOptions): Promise<void> {
    return this.#threads.forgetThread(threadId, options);
  }

  /** A file to answer a hold with; the answer names it by `file_id`, `name` and `sha256`. */
  uploadFile(holdId: string, file: FileGiven, options?: CallOptions): Promise<UploadedFile> {
    return this.#files.uploadFile(holdId, file, options);
  }

  /** A file that an answer names. */
  downloadFile(fileId: string, options?: CallOptions): Promise<Uint8Array> {
    return this.#files.downloadFile(fileId, options);
  }

  /** Where the server is, as this client reaches it; undefined for one that needs no address. */
  async serverUrl(): Promise<string | undefined> {
    return this.#client.serverUrl?.();
  }

  get #files(): FileClient {
    const { uploadFile, downloadFile } = this.#client;
    if (!uploadFile || !downloadFile) throw new TypeError("this hold client takes no files");
    return this.#client as HoldClient & FileClient;
  }

  get #threads(): ThreadClient {
    const { getThread, keepThread, forgetThread } = this.#client;
    if (!getThread || !keepThread || !forgetThread) throw new TypeError("this hold client keeps no threads");
    return this.#client as HoldClient & ThreadClient;
  }
}

function isPlaced(hold: Holdlike): hold is Hold | string {
  return typeof hold === "string" || "createdAt" in hold;
}

function idOf(hold: Hold | string): string {
  return typeof hold === "string" ? hold : hold.id;
}
