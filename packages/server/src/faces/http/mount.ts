/**
 * Mounts declared operations. Everything an operation's declaration says is done here, in one order, for every face:
 * who is calling, then what they send, then the handler; whatever goes wrong leaves in the face's own dialect.
 */

import type { IncomingMessage } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Operation, readShape } from "@holdpoint/protocol";
import type { Problem } from "@holdpoint/protocol/rules";
import type { Context, Hono } from "hono";
import type * as z from "zod";
import type { Authenticated, Caller, Credentials, Identity } from "../../identity/identity.ts";
import type { Principal } from "../../kernel/principal.ts";
import { type BodyLimits, bytesOf, NATIVE_LIMITS, readJson } from "./body.ts";
import { type Dialect, type HttpReply, HttpTrouble, problemDetails } from "./respond.ts";
import { isStorable } from "./strict-json.ts";

type Out<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export interface Call<Op extends Operation = Operation> {
  readonly params: Out<Op["params"]>;
  readonly query: Out<Op["query"]>;
  readonly headers: Out<Op["headers"]>;
  readonly body: Out<Op["body"]>;
  readonly workspace: string;
  readonly by: Principal;
  readonly ip: string;
  /** Aborts when the caller hangs up. Asked for by those who wait: making one costs more than most requests do. */
  gone(): AbortSignal;
  header(name: string): string | undefined;
  /** Whether the credential would still be taken: for what lasts longer than a request. */
  isWelcome(): Promise<boolean>;
  /** What was sent, as it comes: for operations whose body is a file. */
  bytes(): AsyncIterable<Uint8Array>;
}

export type Handler<Op extends Operation> = (
  call: Call<Op>,
) => Promise<HttpReply | Response> | HttpReply | Response;

export interface MountOptions {
  readonly identity: Identity;
  readonly dialect?: Dialect;
  readonly limits?: BodyLimits;
  readonly onFault?: (fault: unknown, operation: string) => void;
  /** Sees every reply that is not already a stream: tests compare it with what is declared. */
  readonly onReply?: (operation: Operation, reply: HttpReply) => void;
}

/** What one operation needs done differently. */
export interface MountExtras {
  /** Who is calling, where the protocol has its own way of saying so; the handler of a `link` operation asks itself. */
  readonly authenticate?: (c: Context, ip: string) => Promise<Caller>;
  /** Runs before the body is looked at: some protocols tell what is gone before what is malformed. */
  readonly before?: (call: Omit<Call, "body">) => Promise<void>;
  /** What was sent, where it may be something else than JSON; `undefined`: it is not, and is read as JSON. */
  readonly readBody?: (c: Context, limits: BodyLimits) => Promise<unknown>;
}

const RETRY_MS = 1_000;
const UNSAFE = new Set(["POST", "PUT", "PATCH", "DELETE"]);
export const NOBODY: Caller = {
  workspace: "",
  principal: { role: "system", via: "system", id: "", name: "" },
};

export function mount<Op extends Operation>(
  app: Hono,
  operation: Op,
  handler: Handler<Op>,
  options: MountOptions,
  extras: MountExtras = {},
): void {
  const served: Served = {
    operation,
    handler: handler as Handler<Operation>,
    options,
    extras,
    dialect: options.dialect ?? problemDetails,
    headerNames: Object.keys(operation.headers?.shape ?? {}),
  };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
  app.on(operation.method, path, async (c) => {
    const reply = await replyTo(c, served);
    if (reply instanceof Response) return reply;
    options.onReply?.(operation, reply);
    const listed = listIn(reply.body);
    return listed === undefined ? send(reply) : send({ ...reply, body: await listText(...listed) });
  });
}

/** An operation as it is mounted: what every call of it has in common. */
interface Served {
  readonly operation: Operation;
  readonly handler: Handler<Operation>;
  readonly options: MountOptions;
  readonly extras: MountExtras;
  readonly dialect: Dialect;
  /** Only declared headers are looked at: a request carries many that are none of our business. */
  readonly headerNames: readonly string[];
}

async function replyTo(c: Context, served: Served): Promise<HttpReply | Response> {
  const { handler, dialect, options, operation } = served;
  try {
    return await handler(await readCall(c, served));
  } catch (fault) {
    if (fault instanceof HttpTrouble) return dialect(fault.trouble);
    options.onFault?.(fault, operation.id);
    return dialect(
      isUnavailable(fault) ? { code: "unavailable", retryAfterMs: RETRY_MS } : { code: "internal" },
    );
  }
}

async function readCall(c: Context, served: Served): Promise<Call> {
  const { operation, options, extras } = served;
  const ip = ipOf(c);
  const called = callerOf(c, ip, operation, options.identity, extras);
  const caller = called instanceof Promise ? await called : called;
  const call = {
    params: parse(operation.params, storable(c.req.param(), "not_found"), "invalid_path"),
    query: operation.query && parse(operation.query, storable(queryOf(c), "invalid_query"), "invalid_query"),
    headers: parse(operation.headers, headersOf(c, served.headerNames), "invalid_query"),
    body: undefined as unknown,
    workspace: caller.workspace,
    by: caller.principal,
    ip,
    gone: () => c.req.raw.signal,
    header: (name: string) => c.req.header(name),
    isWelcome: () => isWelcome(() => callerOf(c, ip, operation, options.identity, extras)),
    bytes: () => bytesOf(c),
  };
  await extras.before?.(call as Omit<Call, "body">);
  if (operation.body !== undefined) {
    const limits = options.limits ?? NATIVE_LIMITS;
    const other = await extras.readBody?.(c, limits);
    const { value = {}, isLong } =
      other === undefined ? await readJson(c, limits) : { value: other, isLong: false };
    if (isLong) await nextTurn();
    call.body = parse(operation.body, value, "invalid_body");
    if (isLong) await nextTurn();
  }
  return call as Call;
}

/** The list that a reply is about, if it is about one. */
function listIn(body: unknown): [body: object, name: string, items: readonly unknown[]] | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  // It is the first member wherever there is one.
  for (const [name, items] of Object.entries(body))
    return Array.isArray(items) ? [body, name, items] : undefined;
  return undefined;
}

/** A list's JSON, item by item: with large ones, others have a turn in between (G13). */
async function listText(body: object, name: string, items: readonly unknown[]): Promise<string> {
  const texts: string[] = [];
  let sinceTurn = 0;
  for (const item of items) {
    const text = JSON.stringify(item) ?? "null";
    texts.push(text);
    sinceTurn += text.length;
    if (sinceTurn < CHARACTERS_A_TURN) continue;
    sinceTurn = 0;
    await nextTurn();
  }
  const rest = JSON.stringify({ ...body, [name]: undefined }).slice(1);
  return `{${JSON.stringify(name)}:[${texts.join(",")}]${rest === "}" ? "" : ","}${rest}`;
}

const CHARACTERS_A_TURN = 512 * 1024;

/** Headers stay the plain members they are: written as such, they cost a fraction of what an object for them would. */
export function send({ status, body, headers = {} }: HttpReply): Response {
  if (body === undefined) return new Response(null, { status, headers });
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Response(text, { status, headers: { "content-type": "application/json", ...headers } });
}

export function ipOf(c: Context): string {
  const incoming = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming;
  return incoming?.socket.remoteAddress ?? "local";
}

/** Looked up when asked for: a key needs two of these headers, and most requests bring a key. */
class CallCredentials implements Credentials {
  readonly ip: string;
  readonly #c: Context;

  constructor(c: Context, ip: string) {
    this.#c = c;
    this.ip = ip;
  }

  get unsafe(): boolean {
    return UNSAFE.has(this.#c.req.method);
  }

  get authorization(): string | undefined {
    return this.#c.req.header("authorization");
  }

  get apiKey(): string | undefined {
    return this.#c.req.header("x-api-key");
  }

  get agentId(): string | undefined {
    return this.#c.req.header("x-agent-id");
  }

  get cookie(): string | undefined {
    return this.#c.req.header("cookie");
  }

  get csrf(): string | undefined {
    return this.#c.req.header("x-csrf-token");
  }

  get sameOrigin(): boolean {
    return isSameOrigin(this.#c);
  }
}

export function credentialsOf(c: Context, ip: string): Credentials {
  return new CallCredentials(c, ip);
}

/** A browser says where a request comes from; what says nothing is no browser and has no cookie to abuse. */
function isSameOrigin(c: Context): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  const origin = c.req.header("origin");
  return origin === undefined || isOwn(origin, c);
}

function isOwn(origin: string, c: Context): boolean {
  return URL.canParse(origin) && new URL(origin).host === c.req.header("host");
}

function callerOf(
  c: Context,
  ip: string,
  { security }: Operation,
  identity: Identity,
  { authenticate }: MountExtras,
): Caller | Promise<Caller> {
  if (authenticate !== undefined) return authenticate(c, ip);
  return security === "none" || security === "link" ? NOBODY : callerByCredentials(c, ip, identity);
}

/** A store that cannot be asked turns nobody away. */
async function isWelcome(caller: () => Caller | Promise<Caller>): Promise<boolean> {
  try {
    await caller();
    return true;
  } catch (fault) {
    return !(fault instanceof HttpTrouble);
  }
}

/** By key or by session. */
export function callerByCredentials(c: Context, ip: string, identity: Identity): Caller | Promise<Caller> {
  const found = identity.authenticate(credentialsOf(c, ip));
  return found instanceof Promise ? found.then(admitted) : admitted(found);
}

function admitted(found: Authenticated): Caller {
  if (found.ok) return found.caller;
  const { why, message, retryAfterMs } = found;
  throw new HttpTrouble({
    code: why,
    detail: message,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** A parameter given twice is a list, which only a schema that expects one accepts. */
function queryOf(c: Context): Record<string, unknown> {
  const at = c.req.url.indexOf("?");
  if (at === -1) return {};
  const given = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(c.req.url.slice(at + 1))) {
    const before = given.get(name);
    if (before === undefined) given.set(name, value);
    else if (typeof before === "string") given.set(name, [before, value]);
    else before.push(value);
  }
  return Object.fromEntries(given);
}

function headersOf(c: Context, names: readonly string[]): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name of names) {
    const value = c.req.header(name);
    if (value !== undefined) given[name] = value;
  }
  return given;
}

/** A percent sign can bring in what JSON may not. */
function storable<Given extends object>(given: Given, code: "not_found" | "invalid_query"): Given {
  for (const name of Object.keys(given)) {
    const value = given[name as keyof Given] as string | readonly string[];
    const isFine = typeof value === "string" ? isStorable(value) : value.every(isStorable);
    if (isFine && isStorable(name)) continue;
    throw new HttpTrouble({ code, detail: "text has a NUL or half a surrogate pair in it" });
  }
  return given;
}

const FIELDS_MAX = 50;

function parse(
  schema: z.ZodType | undefined,
  value: unknown,
  code: "invalid_path" | "invalid_query" | "invalid_body",
) {
  if (schema === undefined) return undefined;
  const read = readShape(schema, value);
  if (read.ok) return read.data;
  if (code === "invalid_path") throw new HttpTrouble({ code: "not_found" });
  const shape = read.refusal;
  const fields = shape.fields.slice(0, FIELDS_MAX).map(shortened);
  const [first] = fields;
  throw new HttpTrouble({
    code: code === "invalid_body" ? shape.code : code,
    detail: first === undefined ? "it does not have the declared form" : `${first.key}: ${first.message}`,
    fields,
  });
}

/** What was sent comes back only as far as it helps to find it. */
function shortened({ key, rule, message }: Problem): Problem {
  return { key: key.slice(0, 200), rule, message: message.slice(0, 500) };
}

/** Stopping, or the store is not there, or others were in the way too often: the client should come again, not give up. */
function isUnavailable(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false;
  if (fault.name === "EngineStopped" || fault.name === "StoreUnavailable") return true;
  return "retryable" in fault && fault.retryable === true;
}
