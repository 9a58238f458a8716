/**
 * The composition root: the one file that knows every part. It takes a store, a clock and settings and returns a `fetch`
 * handler with background work. The caller serves it on a port, in a test or in a simulation.
 */

import type { OperationSet } from "@holdpoint/protocol";
import { Hono } from "hono";
import { getPath } from "hono/utils/url";
import { agUiFace } from "./agui/face/index.ts";
import { type ProxyDeps, ProxyRuntime } from "./agui/proxy/proxy-runtime.ts";
import type { Channel } from "./channels/channel.ts";
import type { ChatBots } from "./channels/chat/bot.ts";
import type { ChatRuntime } from "./channels/chat/runtime.ts";
import type { Outgoing } from "./channels/outgoing.ts";
import { pushKeys } from "./channels/push/keys.ts";
import type { Sender } from "./channels/sender.ts";
import { watchDecisions } from "./decision-watch.ts";
import { SEALS, TABLE } from "./domains.ts";
import { Checkpointer, LOG_WORKSPACE } from "./engine/checkpointer.ts";
import { Engine } from "./engine/engine.ts";
import { Feed } from "./engine/feed.ts";
import { Files } from "./engine/files.ts";
import { Holds } from "./engine/holds.ts";
import { contentDigest } from "./engine/seal.ts";
import { docsFace } from "./faces/docs/index.ts";
import { hitlFace, resultSigning, type Verifiers } from "./faces/hitl/index.ts";
import { type Face, mountFaces } from "./faces/http/face.ts";
import type { MountOptions } from "./faces/http/mount.ts";
import { defaultHeaders } from "./faces/http/respond.ts";
import { SegmentRouter } from "./faces/http/segment-router.ts";
import { answerOnPage, type PageDeps, pagesFace, plainRenderer } from "./faces/pages/index.ts";
import { type InProcess, inProcessClient, nativeFace, type RestDeps } from "./faces/rest/index.ts";
import { Lookers } from "./faces/rest/lookers.ts";
import { systemFace } from "./faces/system/index.ts";
import { AccessTokens } from "./identity/access-tokens.ts";
import type { SendLetter } from "./identity/email-sign-in.ts";
import { Identity } from "./identity/identity.ts";
import { Limiter } from "./identity/limiter.ts";
import { Passkeys } from "./identity/passkeys.ts";
import type { SigningKey } from "./kernel/log/checkpoint.ts";
import { NO_PLATFORM, type Platform } from "./kernel/platform.ts";
import { type Principal, SYSTEM } from "./kernel/principal.ts";
import { SETTING_NAMES } from "./kernel/server/logged.ts";
import type { ServerSettings } from "./kernel/server/server.ts";
import type { LiveSettingsOptions } from "./live-settings.ts";
import { mcpFace } from "./mcp/face/index.ts";
import { ownStates, type States, sharedStates } from "./mcp/request-states.ts";
import { type Measures, measure, measureFiles } from "./measure.ts";
import { canonicalPath, openIntentFace } from "./openintent/face/index.ts";
import { IntentCheckpointer } from "./openintent/reads/intent-checkpointer.ts";
import { Intents } from "./openintent/reads/intents.ts";
import { buildSender, deliveryOptions, keepBacklogs, liveSettings, prunerOf } from "./sending-parts.ts";
import { invitingBy, signInsOver, warnOfLostPasskeys, warnOfMissingMail } from "./sign-in-parts.ts";
import type { FileStore } from "./store/file-port.ts";
import { memoryFiles } from "./store/memory/memory-files.ts";
import type { Store } from "./store/port.ts";
import type { AnchorStore } from "./system/anchor-file.ts";
import type { Clock } from "./system/clock.ts";
import { type ConfiguredKey, isLocal } from "./system/config.ts";
import { didKeyOf } from "./system/did-key.ts";
import { type Ids, systemIds, systemRandom } from "./system/ids.ts";
import { createJudge } from "./system/judge.ts";
import type { McpOAuth } from "./system/mcp-config.ts";
import type { Sealer } from "./system/sealing.ts";
import type { OidcProvider, SignInConfig } from "./system/sign-in-config.ts";
import type { Signer } from "./system/signing.ts";
import { Timers } from "./timers/timers.ts";
import { verifyLog } from "./verify-log.ts";
import { VERSION } from "./version.ts";

export interface ServerOptions {
  readonly store: Store;
  /** The store for uploaded files; in memory by default. */
  readonly files?: FileStore;
  readonly clock: Clock;
  readonly signer: Signer;
  /** Where the last signed checkpoint is kept outside of the database. */
  readonly anchor?: AnchorStore;
  /** Signs results of HITL cases. Absent: results are unsigned. */
  readonly resultSigner?: Signer;
  readonly outgoing: Outgoing;
  readonly publicUrl: string;
  readonly keys?: readonly ConfiguredKey[];
  /** Whether no other machine can reach the server; absent: the public URL tells. */
  readonly isLocal?: boolean;
  readonly allowDev?: boolean;
  /** Identity providers, and what sends sign-in links by e-mail. */
  readonly signIn?: {
    readonly providers?: readonly OidcProvider[];
    /** Absent: no channel of the configuration sends sign-in links. */
    readonly sendLetter?: SendLetter;
    /** An e-mail channel that is connected in the console sends them, if `sendLetter` is absent. */
    readonly consoleEmail?: SignInConfig["consoleEmail"];
  };
  /** The issuer whose access tokens are accepted at `/mcp`; none by default. */
  readonly mcpOAuth?: McpOAuth;
  /** Names of configured people. No agent key may use one of them. */
  readonly people?: readonly string[];
  /** The e-mail address of a configured person. */
  readonly addressOf?: LiveSettingsOptions["addressOf"];
  /** Pages of these origins may use browser tokens; none by default. */
  readonly corsOrigins?: readonly string[];
  /** Whether an address belongs to a proxy before this server, whose `X-Forwarded-For` is believed. */
  readonly isTrustedProxy?: (address: string) => boolean;
  readonly channels?: Readonly<Record<string, Channel>>;
  /** Chat platforms, by the name of the channel. */
  readonly chats?: ChatBots;
  /** Encrypts secrets of channels that are connected in the console; absent: with a key that ends with this process. */
  readonly sealer?: Sealer;
  /** What makes bots that are connected in the console, by platform; none by default. */
  readonly chatPlatforms?: LiveSettingsOptions["platforms"];
  /** How long a server that died keeps others from listening for its bots. */
  readonly chatLeaseMs?: number;
  /** Who is on call, by name of the rota. */
  readonly rotas?: NonNullable<Platform["rotas"]>;
  /** The operator's notification settings and retry defaults. */
  readonly platform?: Partial<Platform>;
  /** How long settled messages are kept; 30 days by default. */
  readonly deliveryRetentionMs?: number;
  /** How long recorded checks are kept; 30 days by default. */
  readonly checkRetentionMs?: number;
  /** Patterns that are removed from notifications. */
  readonly redact?: readonly string[];
  /** `strict`: an OpenIntent intent may begin only when its dependencies are complete. `soft`: while they are in progress. */
  readonly activationGate?: "strict" | "soft";
  /** Who has access to new OpenIntent intents that are not shared; absent: their creators only. */
  readonly defaultAccess?: "owner" | "open";
  /** Agents behind the AG-UI proxy, and how long their threads stay leased after a server died. */
  readonly agUi?: Partial<Pick<ProxyDeps, "proxies" | "leaseMs">>;
  /** Who checks the evidence of HITL answers, by the name of the provider. Nobody: such evidence proves nothing. */
  readonly verifiers?: Verifiers;
  readonly ids?: Ids;
  readonly random?: () => number;
  readonly defer?: (work: () => void) => void;
  /** The built pages with script. Absent: the plain pages. */
  readonly pages?: Pick<PageDeps, "renderer" | "asset">;
  /** Receives errors that no caller sees. */
  readonly log?: (entry: LogEntry) => void;
  /** For tests: called with every reply and its operation. */
  readonly onReply?: MountOptions["onReply"];
}

function intentOptions({ activationGate, defaultAccess }: ServerOptions) {
  return {
    ...(activationGate === undefined ? {} : { activationGate }),
    ...(defaultAccess === undefined ? {} : { defaultAccess }),
  };
}

export interface LogEntry {
  readonly level: "warn" | "error";
  readonly place: string;
  readonly message: string;
}

export interface Server {
  readonly app: Hono;
  readonly engine: Engine;
  readonly feed: Feed;
  readonly holds: Holds;
  readonly identity: Identity;
  readonly sender: Sender;
  readonly chats: ChatRuntime;
  readonly timers: Timers;
  readonly checkpointer: Checkpointer;
  readonly files: Files;
  readonly measures: Measures;
  readonly ids: Ids;
  readonly publicUrl: string;
  /** The served operations as data: one set per face. */
  readonly operationSets: readonly OperationSet[];
  /** A hold client without HTTP, for code in this process. */
  client(caller: InProcess): ReturnType<typeof inProcessClient>;
  /** Starts background work: timers and outbox. Fires timers that came due while no server was running. */
  start(): Promise<void>;
  /** Finishes running work and closes the store. */
  stop(): Promise<void>;
}

export function createServer(options: ServerOptions): Server {
  const { store, publicUrl, ids = systemIds } = options;
  const parts = buildParts(options, ids);
  const { engine, feed, holds, identity, sender, timers, checkpointer, measures, fault } = parts;
  const { intentCheckpointer, pruner } = parts;
  const rest = restDeps(options, parts, ids);
  const proxies = buildProxies(options, rest, fault("agui proxy"));
  const faces = buildFaces(options, parts, rest, proxies);
  const operationSets = faces.flatMap(({ set }) => set ?? []);
  const app = buildApp(faces, {
    identity,
    headers: defaultHeaders(publicUrl),
    corsOrigins: options.corsOrigins ?? [],
    ...(options.isTrustedProxy === undefined ? {} : { isTrustedProxy: options.isTrustedProxy }),
    onFault: (error, place) => fault(place)(error),
    ...(options.onReply === undefined ? {} : { onReply: options.onReply }),
  });
  let isStopped = false;
  return {
    ...{ app, engine, feed, holds, identity, sender, timers, checkpointer, measures, ids, publicUrl },
    files: parts.files,
    chats: parts.chats,
    operationSets,
    client: (caller) => inProcessClient(rest, caller),
    async start() {
      await engine.continueTime();
      await publishKey(engine, options.signer, "Ed25519");
      if (options.resultSigner !== undefined) await publishKey(engine, options.resultSigner, "RS256");
      await warnOfLostPasskeys(parts.passkeys, options);
      await parts.live.start();
      warnOfChangedSettings(parts.live.settings, options);
      warnOfMissingMail(parts.live, options);
      sender.start();
      parts.chats.start();
      pruner.start();
      await timers.start();
      await parts.files.start();
      await intentCheckpointer.start();
    },
    async stop() {
      if (isStopped) return;
      isStopped = true;
      await proxies.stop();
      await parts.live.stop();
      await parts.chats.stop();
      await timers.stop();
      await parts.emailSignIns?.stop();
      await parts.stopWatching();
      await sender.stop();
      await parts.chats.close();
      await parts.backlogs.stop();
      await pruner.stop();
      await intentCheckpointer.stop();
      await checkpointer.stop();
      await engine.stop();
      await parts.files.stop();
      feed.close();
      identity.close();
      await store.close();
    },
  };
}

function restDeps(options: ServerOptions, parts: ReturnType<typeof buildParts>, ids: Ids): RestDeps {
  const { store, publicUrl } = options;
  const { engine, feed, holds, sender } = parts;
  return {
    ...{ engine, feed, holds, files: parts.files, ids, publicUrl, passkeys: parts.passkeys },
    pushKey: pushKeys(engine),
    ...{ chats: parts.chats, live: parts.live },
    version: VERSION,
    whyNotTarget: (url) => {
      const check = options.outgoing.checkTarget(url);
      return check.kind === "ok" ? null : check.message;
    },
    // The database alone cannot show that somebody removed the end of the log together with its checkpoints.
    verify: (of, how) => verifyLog(of, { ...how, anchors: [options.anchor?.read()?.hash ?? []].flat() }),
    wakeSender: () => sender.wake(),
    lookers: new Lookers(engine.clock, store.shared),
    shard: store.shared.hasOthers ? Math.floor((options.random ?? systemRandom)() * CHECK_SHARDS) : 0,
    ...invitingBy(parts.emailSignIns),
  };
}

/** How often one address may begin to sign in. */
const SIGN_INS = { budget: 30, windowMs: 60_000 };
/** Over how many rows several servers spread the counts of one tool. */
const CHECK_SHARDS = 8;

/** How long a proxied thread stays leased after its server died. */
const LEASE_MS = 30_000;

function buildProxies(
  { agUi }: ServerOptions,
  rest: RestDeps,
  onFault: (error: unknown) => void,
): ProxyRuntime {
  const { engine, ids, publicUrl } = rest;
  const client = clientsOver(rest);
  const own = { client, judge: createJudge(), leaseMs: LEASE_MS, proxies: {} };
  return new ProxyRuntime({ engine, ids, publicUrl, onFault, ...own, ...agUi });
}

function clientsOver(rest: RestDeps) {
  return (workspace: string, principal: Principal, groupCommand?: InProcess["groupCommand"]) =>
    inProcessClient(rest, { workspace, principal, ...(groupCommand === undefined ? {} : { groupCommand }) });
}

/** Builds the engine and the background work, and connects them to the metrics. */
function buildParts(options: ServerOptions, ids: Ids) {
  const { store, clock, publicUrl, signer, log = () => undefined } = options;
  const fault = (place: string) => (error: unknown) => {
    measures.faults.add(1, place);
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    log({ level: "error", place, message });
  };
  const engine = new Engine({
    table: TABLE,
    seals: SEALS,
    store,
    clock,
    judge: createJudge(),
    digest: contentDigest,
    platform: platformOf(options),
    onFault: (error) => fault("engine")(error),
    ...(options.defer === undefined ? {} : { defer: options.defer }),
  });
  const feed = new Feed(engine);
  const measures = measure(engine, feed);
  const { keys = [], allowDev = false, people = [] } = options;
  const identity = new Identity({ engine, keys, allowDev, people });
  const signResult =
    options.resultSigner === undefined ? {} : { signResult: resultSigning(options.resultSigner, publicUrl) };
  const deliveries = deliveryOptions(options, { engine, identity, ids, ...signResult }, fault("chats"));
  const sender = buildSender(options, deliveries, measures, fault("sender"));
  const timers = new Timers({
    engine,
    onFired: (lateMs) => measures.timerLateness.observe(lateMs / 1000),
    onFault: fault("timers"),
  });
  const checkpointer = checkpointerOver(options, engine, fault("checkpointer"));
  const intents = new Intents(engine);
  const intentCheckpointer = new IntentCheckpointer({
    engine,
    intents,
    signer: { name: didKeyOf(signer.publicJwk), sign: (text) => signer.sign(text) },
    nextId: (now) => ids.next(now),
    onFault: fault("intent checkpointer"),
  });
  const holds = new Holds(engine, feed);
  const files = new Files({
    ...{ engine, holds, ids },
    store: options.files ?? memoryFiles(),
    onFault: fault("files"),
  });
  measureFiles(measures.metrics, files);
  const live = liveSettings(options, deliveries, feed, fault("settings"));
  return {
    ...{ engine, feed, holds, files, intents, intentCheckpointer, identity, live },
    passkeys: new Passkeys({ engine, ids, publicUrl }),
    ...signInsOver(options, { engine, ids, publicUrl }, live, fault),
    sender,
    chats: deliveries.chats,
    backlogs: keepBacklogs(engine, measures, fault("backlog")),
    pruner: prunerOf(engine, fault("pruner")),
    timers,
    checkpointer,
    stopWatching: watchDecisions(engine, fault("decisions")),
    measures,
    signResult,
    fault,
  };
}

function platformOf(options: ServerOptions): Platform {
  const { platform, redact, rotas, deliveryRetentionMs, checkRetentionMs } = options;
  return {
    ...NO_PLATFORM,
    ...platform,
    ...(redact === undefined ? {} : { redact }),
    ...(rotas === undefined ? {} : { rotas }),
    ...(deliveryRetentionMs === undefined ? {} : { deliveryRetainMs: deliveryRetentionMs }),
    ...(checkRetentionMs === undefined ? {} : { checkRetainMs: checkRetentionMs }),
  };
}

/** An operator who reads the configuration must not believe a value that does not count. */
function warnOfChangedSettings(settings: ServerSettings, { log }: ServerOptions): void {
  const names = (Object.keys(settings) as (keyof ServerSettings)[]).map((key) => SETTING_NAMES[key]);
  if (names.length === 0) return;
  const message = `These settings were changed in the console and count instead of the configuration: ${names.join(", ")}.`;
  log?.({ level: "warn", place: "settings", message });
}

function checkpointerOver(
  { signer, anchor }: ServerOptions,
  engine: Engine,
  onFault: (error: unknown) => void,
): Checkpointer {
  return new Checkpointer({ engine, signer, onFault, ...(anchor === undefined ? {} : { anchor }) });
}

function buildFaces(
  options: ServerOptions,
  parts: ReturnType<typeof buildParts>,
  rest: RestDeps,
  proxies: ProxyRuntime,
): readonly Face[] {
  const { engine, holds, files, ids, publicUrl, version } = rest;
  const { identity, measures, signResult, fault, intents, intentCheckpointer: checkpoints } = parts;
  const isOwnMachine = options.isLocal ?? isLocal(publicUrl);
  const pages: PageDeps = {
    ...{
      engine,
      holds,
      files,
      identity,
      ids,
      publicUrl,
      version,
      isLocal: isOwnMachine,
      passkeys: parts.passkeys,
      oidc: parts.oidc,
    },
    ...(parts.emailSignIns === undefined ? {} : { emailSignIns: parts.emailSignIns }),
    signIns: new Limiter(engine.clock, SIGN_INS, { store: engine.store, of: "sign-in" }),
    ...(options.pages ?? { renderer: plainRenderer }),
  };
  const demo = { clock: engine.clock, ids, publicUrl, onFault: fault("agui"), client: clientsOver(rest) };
  const retryPolicy = options.platform?.retryPolicy ?? null;
  const api = [
    nativeFace(rest),
    openIntentFace({ ...rest, intents, checkpoints, ...intentOptions(options), retryPolicy }),
    hitlFace({
      ...rest,
      ...signResult,
      answerOnPage: answerOnPage(pages),
      verifiers: options.verifiers ?? {},
    }),
    agUiFace(proxies, isOwnMachine ? demo : undefined),
    mcpFace({
      ...{ client: clientsOver(rest), onFault: fault("mcp"), publicUrl, states: mcpStates(rest) },
      ...tokensFor(options, engine),
    }),
  ];
  const sets = api.flatMap(({ set }) => set ?? []);
  const checks = async () => ({ store: await isWorking(engine) });
  return [
    systemFace({ version, metrics: measures.metrics, checks }),
    docsFace({ sets, version, publicUrl }),
    pagesFace(pages),
    ...api,
  ];
}

/** Access tokens are for the address of `/mcp`, unless the configuration names another audience. */
function tokensFor({ mcpOAuth, publicUrl }: ServerOptions, { clock }: Engine) {
  return mcpOAuth === undefined ? {} : { tokens: new AccessTokens(mcpOAuth, `${publicUrl}/mcp`, clock) };
}

function mcpStates({ ids, pushKey, engine: { store, clock } }: RestDeps): States {
  if (!store.shared.hasOthers) return ownStates(ids, clock);
  return sharedStates(ids, clock, store.shared, pushKey);
}

function buildApp(faces: readonly Face[], options: MountOptions): Hono {
  const app = new Hono({
    router: new SegmentRouter(),
    getPath: (request) => canonicalPath(getPath(request)),
  });
  mountFaces(app, faces, options);
  return app;
}

/** A load balancer is unlikely to wait longer. */
const READY_MS = 3_000;

/** One row of each table: a table that is damaged or gone would fail the first request that needs it. */
async function readEveryTable(store: Store, now: number): Promise<void> {
  await Promise.all([
    store.lastPosition(),
    store.events({ after: 0, limit: 1 }),
    store.query({ workspace: "default", kind: "hold", limit: 1 }),
    store.query({ workspace: LOG_WORKSPACE, kind: "signing_key", limit: 1 }),
    store.dueTimers(now, 1),
    store.outbox({ workspace: "default", limit: 1 }),
  ]);
}

/** Whether the store can be read and written within the time limit. */
async function isWorking({ store, clock }: Engine): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const cancel = clock.at(clock.now() + READY_MS, () => late.resolve(false));
  const working = async () => {
    await readEveryTable(store, clock.now());
    return store.isWritable();
  };
  try {
    return await Promise.race([working(), late.promise]);
  } catch {
    return false;
  } finally {
    cancel();
  }
}

/** Signatures are verified with the public keys in the store, so this server's key must be there. */
async function publishKey(engine: Engine, signer: Signer, algorithm: SigningKey["algorithm"]): Promise<void> {
  const known = { workspace: LOG_WORKSPACE, kind: "signing_key", id: signer.keyId, read: true } as const;
  if ((await engine.store.load([known])).length > 0) return;
  const key = {
    id: signer.keyId,
    algorithm,
    publicJwk: signer.publicJwk,
    madeAt: engine.clock.now(),
  } as const;
  await engine.run({ kind: "put_signing_key", workspace: LOG_WORKSPACE, by: SYSTEM, key });
}
