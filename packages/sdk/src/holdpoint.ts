/** The client an agent's author uses: ask and go on, wait for several, run what was approved exactly once. */

import {
  type AnswerGiven,
  type BrowserToken,
  type BrowserTokenGiven,
  type CallOptions,
  type CancelGiven,
  type Check,
  type CheckClient,
  type Claim,
  type ClaimGiven,
  type ClaimResult,
  type FileClient,
  type FileGiven,
  type FollowOptions,
  type Group,
  type GroupEntry,
  type GroupPlace,
  type Hold,
  type HoldClient,
  type HoldEvent,
  type HoldPage,
  type HoldQuery,
  type Link,
  type LinkGiven,
  type OpenIn,
  type RunOnceOptions,
  runOnce,
  type Skip,
  type SkipGiven,
  type StandardSchema,
  type Thread,
  type ThreadClient,
  type ThreadGiven,
  type UploadedFile,
  type WaitOptions,
} from "@holdpoint/protocol/client";
import { type HttpClientOptions, httpHoldClient } from "@holdpoint/protocol/http";
import type { Option } from "@holdpoint/protocol/rules";
import { type AnyClient, type CheckOptions, hasClient } from "./any-client.ts";
import {
  Handle,
  type HoldHandle,
  type PlacedHold,
  type SavedHold,
  savedHoldOf,
  takingEdits,
} from "./handle.ts";
import type { AskOutcome, DecidedOutcome, SettledOutcome } from "./outcome.ts";
import type { ActionsOf, AnswersOf, ApprovalData, NoOthers, Place } from "./question.ts";
import { prepare } from "./reading.ts";
import { type Answered, type Approved, type Asking, approvedOr, optionsOf, promptOf } from "./short-forms.ts";
import {
  type AnyOptions,
  everyOutcome,
  type FirstDecided,
  firstDecided,
  type OutcomeFor,
  type Waited,
} from "./together.ts";

/**
 * Where the server is, who calls, and how patiently.
 *
 * @example
 * ```ts
 * import { Holdpoint, type HoldpointOptions } from "@holdpoint/sdk";
 *
 * const options: HoldpointOptions = { url: "https://holdpoint.example.com", apiKey: "hp_…", retry: { attemptsMax: 3 } };
 * const hp = new Holdpoint(options);
 * ```
 */
export type HoldpointOptions = HttpClientOptions;

/** A question, a handle, a hold, or a hold's id. */
type Holdlike = Place | AnyHandle | Hold | string;

/** A handle, whatever its types. */
type AnyHandle = Pick<HoldHandle, "id" | "toJSON">;

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
export class Holdpoint implements ThreadClient, FileClient {
  readonly #client: AnyClient;

  /** With options: over HTTP. With a hold client: over that one, as in the server's own process. */
  constructor(options: HoldpointOptions | { readonly client: AnyClient } = {}) {
    this.#client = hasClient(options) ? options.client : httpHoldClient(options);
  }

  /**
   * Places a hold and waits for its outcome: minutes or weeks, across lost connections and restarts of either side. After a
   * crash, ask again with the same key: the answer that came meanwhile is found.
   *
   * With `waitMs` it waits that long at most, and the outcome may be `pending`.
   */
  ask<const Asked extends Place>(
    place: Asked & NoOthers<Asked>,
    options: WaitOptions & { readonly waitMs: number },
  ): Promise<AskOutcome<AnswersOf<Asked>, ActionsOf<Asked>>>;
  ask<const Asked extends Place>(
    place: Asked & NoOthers<Asked>,
    options?: CallOptions,
  ): Promise<SettledOutcome<AnswersOf<Asked>, ActionsOf<Asked>>>;
  async ask(place: Place, options: WaitOptions = {}): Promise<unknown> {
    const { signal } = options;
    const placed = await this.place(place, signal === undefined ? {} : { signal });
    return placed.wait(options);
  }

  /**
   * Asks for a "yes". Gives `false` when a person says no, and throws a `NotDecidedError` when nobody decides.
   *
   * @example
   * ```ts
   * import { Holdpoint } from "@holdpoint/sdk";
   *
   * const hp = new Holdpoint();
   * const approved = await hp.approve("Deploy build 7?", { key: "deploy:7", timeout: "2h" });
   * if (approved) await approved.runOnce(() => console.error("deploying, once"));
   * ```
   */
  async approve<Schema extends StandardSchema | OpenIn = OpenIn>(
    prompt: string,
    asking: Asking & { readonly responseSchema?: Schema } = {},
    options?: CallOptions,
  ): Promise<Approved<Answered<Schema>> | false> {
    const placed = await this.place({ ...asking, type: "approval", prompt } as Place, options);
    const outcome = await placed.wait(options);
    outcome.orThrow();
    const decided = outcome as DecidedOutcome<ApprovalData<Answered<Schema>>>;
    return approvedOr(decided, async (work, once) => {
      const taken = takingEdits(work, once);
      return runOnce(this.#client, decided.hold, (claim) => work(decided.data.editedArgs, claim), taken);
    });
  }

  /**
   * Asks a person to pick one of several, and gives its id. Throws a `NotDecidedError` when nobody decides.
   *
   * @example
   * ```ts
   * import { Holdpoint } from "@holdpoint/sdk";
   *
   * const hp = new Holdpoint();
   * const region = await hp.choose("Where shall it run?", ["eu", "us"], { key: "region:7" });
   * const isNear: boolean = region === "eu";
   * ```
   */
  async choose<const Choice extends string | Option>(
    prompt: string,
    choices: readonly Choice[],
    asking: Asking = {},
    options?: CallOptions,
  ): Promise<Choice extends Option ? Choice["id"] : Choice> {
    const select = { min: 1, max: 1 };
    const asked = { ...asking, type: "selection", prompt, options: optionsOf(choices), select } as const;
    const [chosen] = (await this.ask(asked, options)).orThrow().data.selected;
    return chosen as Choice extends Option ? Choice["id"] : Choice;
  }

  /**
   * Asks a person for data and gives it as the schema parses it. Throws a `NotDecidedError` when nobody answers.
   *
   * @example
   * ```ts
   * import { Holdpoint } from "@holdpoint/sdk";
   * import * as z from "zod";
   *
   * const hp = new Holdpoint();
   * const { amount } = await hp.input(z.object({ amount: z.number() }), { prompt: "How much may it cost?" });
   * console.error(amount.toFixed(2));
   * ```
   */
  async input<Schema extends StandardSchema | OpenIn>(
    schema: Schema,
    asking: Asking & { readonly prompt?: string } = {},
    options?: CallOptions,
  ): Promise<Answered<Schema>> {
    const prompt = promptOf(schema, asking.prompt);
    const asked: Place = { ...asking, type: "input", prompt, responseSchema: schema };
    return (await this.ask(asked, options)).orThrow().data as Answered<Schema>;
  }

  /** How a hold stands: at once, or as soon as it has an outcome within `waitMs`. */
  async outcome(hold: AnyHandle | Hold | string, options: WaitOptions = {}): Promise<AskOutcome> {
    return this.hold(idOf(hold), undefined).outcome(options);
  }

  /**
   * A handle on a hold that was placed before, by its id or by what `JSON.stringify` made of its handle. With the question it was
   * placed with, its answer has the same types and goes through the same schema. Nothing is sent.
   *
   * @example
   * ```ts
   * import { Holdpoint } from "@holdpoint/sdk";
   *
   * const hp = new Holdpoint();
   * const question = { key: "refund:1042", type: "approval", prompt: "Refund 80 EUR?" } as const;
   * const saved = JSON.stringify(await hp.place(question));
   * // Next week, in another process:
   * const handle = hp.hold(saved, question);
   * const outcome = await handle.outcome();
   * if (outcome.kind === "decided" && outcome.action === "approve") await handle.runOnce(() => "refunded");
   * ```
   */
  hold<const Asked extends Place = Place>(
    saved: string | SavedHold,
    question?: Asked,
  ): HoldHandle<AnswersOf<Asked>, ActionsOf<Asked>> {
    const { holdId: id, key } = savedHoldOf(saved);
    const parse = question === undefined ? undefined : prepare(question).parse;
    const handle: HoldHandle = new Handle({ client: this.#client, id, key, parse });
    return handle as HoldHandle<AnswersOf<Asked>, ActionsOf<Asked>>;
  }

  /** The newest hold that was placed under this key; `null` when there is none. */
  async find<const Asked extends Place = Place>(
    { key }: { readonly key: string },
    question?: Asked,
    options?: CallOptions,
  ): Promise<PlacedHold<AnswersOf<Asked>, ActionsOf<Asked>> | null> {
    const { holds } = await this.#client.list({ key, limit: 1 }, options);
    const [hold] = holds;
    if (hold === undefined) return null;
    return this.#handle(hold, question === undefined ? undefined : prepare(question).parse) as never;
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
  async any<const Holds extends readonly Holdlike[]>(
    holds: Holds,
    options: AnyOptions = {},
  ): Promise<FirstDecided<Holds>> {
    const waited = await this.#waited(holds, options.signal);
    return (await firstDecided(this.#client, waited, options)) as FirstDecided<Holds>;
  }

  /** Waits for the outcomes of several holds, in their order; questions among them are placed first. */
  async all<const Holds extends readonly Holdlike[]>(
    holds: Holds,
    { signal }: CallOptions = {},
  ): Promise<{ readonly [At in keyof Holds]: OutcomeFor<Holds[At]> }> {
    const outcomes = await everyOutcome(this.#client, await this.#waited(holds, signal), signal);
    return outcomes as { readonly [At in keyof Holds]: OutcomeFor<Holds[At]> };
  }

  /**
   * Runs what was approved at most once, whoever else got the same answer: claims the hold, does the work, and reports what
   * became of it. Whoever repeats it later gets the recorded result, so return something that is JSON; whoever comes while it
   * runs gets a `TerminalError` with the code `claim_taken` and must not do the work.
   *
   * If the work ran and the server cannot be told, the result is returned all the same and `onOutstanding` is called.
   *
   * After an answer that changed what was asked nothing runs (`edited_args`), unless `takesEdits: true` says that the work takes it.
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

  /**
   * Places a hold, or finds the one placed under the same key before. Repeating it is harmless, also without a key.
   *
   * Gives a handle: keep it, or what `JSON.stringify` makes of it, and go on with it whenever people have decided.
   */
  async place<const Asked extends Place>(
    place: Asked & NoOthers<Asked>,
    options?: CallOptions,
  ): Promise<PlacedHold<AnswersOf<Asked>, ActionsOf<Asked>>> {
    const prepared = prepare(place);
    return this.#handle(await this.#client.place(prepared.place, options), prepared.parse) as never;
  }

  #handle(hold: Hold, parse: Handle["parse"]): Handle {
    return new Handle({ client: this.#client, id: hold.id, key: hold.key, parse, hold });
  }

  async #waited(holds: readonly Holdlike[], signal: AbortSignal | undefined): Promise<readonly Waited[]> {
    const options = signal === undefined ? {} : { signal };
    return Promise.all(
      holds.map(async (hold): Promise<Waited> => {
        if (typeof hold === "string") return { id: hold };
        if (hold instanceof Handle) return hold;
        if ("createdAt" in hold) return { id: hold.id };
        // A handle of any data and action can be waited for.
        return (await this.place(hold as Place, options)) as unknown as Handle;
      }),
    );
  }

  /** The hold client underneath, for adapters and whoever wants holds as the wire has them. */
  get client(): HoldClient & ThreadClient & FileClient & CheckClient {
    return this.#client as HoldClient & ThreadClient & FileClient & CheckClient;
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

  /** Takes back your vote on an open hold that several people decide. */
  withdrawVote(holdId: string, options?: CallOptions): Promise<Hold> {
    return this.#client.withdrawVote(holdId, options);
  }

  /**
   * Puts a tool call before the operator's rules: `allow`, `deny`, or `ask` with the hold to wait for. The same call again finds the
   * same hold, and once it was approved the verdict is `allow` with the hold to claim.
   *
   * @example
   * ```ts
   * import { Holdpoint } from "@holdpoint/sdk";
   *
   * const hp = new Holdpoint();
   * const { verdict, reason, hold } = await hp.check("refund", { order: "1042", amount: 80 });
   * if (verdict === "deny") console.error(`Not allowed: ${reason}`);
   * else if (hold !== undefined) await hp.hold(hold.id).wait();
   * ```
   */
  check(tool: string, args: OpenIn, options: CheckOptions = {}): Promise<Check> {
    const { signal, ...given } = options;
    const { check } = this.#client;
    if (!check) throw new TypeError("this hold client cannot check tool calls");
    return check.call(this.#client, { ...given, tool, args }, signal && { signal });
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

  /** Makes a token with which a page of your app reads and answers one hold, or the inbox of one person. For your server only. */
  makeBrowserToken(given: BrowserTokenGiven, options?: CallOptions): Promise<BrowserToken> {
    const { makeBrowserToken } = this.#client;
    if (!makeBrowserToken) throw new TypeError("this hold client makes no browser tokens");
    return makeBrowserToken.call(this.#client, given, options);
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

function idOf(hold: AnyHandle | Hold | string): string {
  return typeof hold === "string" ? hold : hold.id;
}
