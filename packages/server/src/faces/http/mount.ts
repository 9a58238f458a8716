/**
 * Mounts the operations of a face. For every face the order is the same: authenticate the caller, check what it sent, run the
 * handler, and write failures in the face's dialect.
 */

import type { Operation } from "@holdpoint/protocol";
import type { Context, Hono } from "hono";
import type { Identity } from "../../identity/identity.ts";
import type { Principal } from "../../kernel/principal.ts";
import { ownTurn } from "../../system/own-turn.ts";
import {
  type Authority,
  type AuthorityAt,
  byCredentials,
  type Door,
  type Doors,
  NOBODY,
  type PrincipalAuthority,
} from "./authority.ts";
import { type BodyLimits, bytesOf, NATIVE_LIMITS, readJson } from "./body.ts";
import { clientAddressOf, type IsTrustedProxy } from "./client-address.ts";
import { corsHeaders, preflight } from "./cors.ts";
import { failureOf, HttpFailure } from "./failure.ts";
import { type Out, parse, storable } from "./parts.ts";
import {
  type Dialect,
  type HttpReply,
  problemDetails,
  replyDefaults,
  send,
  withDefaults,
} from "./respond.ts";

export interface Call<Op extends Operation = Operation, A extends Authority = PrincipalAuthority> {
  readonly params: Out<Op["params"]>;
  readonly query: Out<Op["query"]>;
  readonly headers: Out<Op["headers"]>;
  readonly body: Out<Op["body"]>;
  readonly authority: A;
  /** The workspace of the authority. */
  readonly workspace: string;
  readonly by: Principal;
  readonly ip: string;
  readonly method: string;
  readonly path: string;
  /** Aborts when the caller disconnects. A method, because making the signal costs more than most requests. */
  gone(): AbortSignal;
  header(name: string): string | undefined;
  /** The first value of a query parameter, for operations that declare no query. */
  search(name: string): string | undefined;
  /** Whether the credential is still valid. Streams ask this, because they stay open for long. */
  isWelcome(): Promise<boolean>;
  /** The body as it arrives, for operations whose body is a file. */
  bytes(): AsyncIterable<Uint8Array>;
}

type Reply = HttpReply | Response;
type Handler<Op extends Operation, Deps, A extends Authority> = (
  call: Call<Op, A>,
  deps: Deps,
) => Promise<Reply> | Reply;

type Operations = Readonly<Record<string, Operation>>;

/** One handler for each operation: a missing one and a surplus one do not compile. `D`: the doors of the face. */
export type Handlers<Ops extends Operations, Deps, D = object> = {
  readonly [Name in keyof Ops]: Handler<Ops[Name], Deps, AuthorityAt<D, Name>>;
};

export interface MountOptions {
  readonly identity: Identity;
  readonly dialect?: Dialect;
  readonly limits?: BodyLimits;
  /** Headers of every reply, unless the reply sets the same header itself. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly onFault?: (fault: unknown, operation: string) => void;
  /** Pages of these origins may call the operations that take browser tokens. */
  readonly corsOrigins?: readonly string[];
  /** Absent: no proxy stands before this server. */
  readonly isTrustedProxy?: IsTrustedProxy;
  /** Called with every reply that is not a stream. Tests compare it with the declaration. */
  readonly onReply?: (operation: Operation, reply: HttpReply) => void;
}

/** Options of one operation beyond its declaration. */
export interface Special {
  readonly limits?: BodyLimits;
  /** Reads a body that may be of another type than JSON; returns `undefined` if it is JSON. */
  readonly readBody?: (c: Context, limits: BodyLimits) => Promise<unknown>;
  /** Returns a reply if another operation at the same address serves this request. */
  readonly instead?: (c: Context) => Promise<Response> | undefined;
}

export interface RouteOptions<Ops extends Operations, Deps> extends MountOptions {
  readonly doors?: Doors<Ops, Deps>;
  readonly special?: { readonly [Name in keyof Ops]?: Special };
  /** The addresses at which an operation is mounted; only its own by default. */
  readonly addressesOf?: (operation: Operation) => readonly Operation[];
}

export function mountRoutes<Ops extends Operations, Deps, D extends Doors<Ops, Deps>>(
  app: Hono,
  operations: Ops,
  routes: Handlers<Ops, Deps, D>,
  deps: Deps,
  options: RouteOptions<Ops, Deps> & { readonly doors?: D },
): void {
  const { addressesOf = (operation) => [operation], corsOrigins = [] } = options;
  if (corsOrigins.length > 0) mountPreflights(app, Object.values(operations), corsOrigins);
  for (const name of Object.keys(operations)) {
    for (const operation of addressesOf(operations[name] as Operation)) {
      app.on(
        operation.method,
        routeOf(operation.path),
        serve(name, operations, routes, deps, options, operation),
      );
    }
  }
}

function mountPreflights(app: Hono, operations: readonly Operation[], origins: readonly string[]): void {
  const open = operations.filter(({ browser }) => browser === true);
  for (const [path, same] of Map.groupBy(open, ({ path }) => routeOf(path)))
    app.on("OPTIONS", path, (c) =>
      preflight(
        c,
        same.map(({ method }) => method),
        origins,
      ),
    );
}

function routeOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** One operation of a face as a function of a request. */
export function serve<Ops extends Operations, Deps, D extends Doors<Ops, Deps>>(
  name: keyof Ops & string,
  operations: Ops,
  routes: Handlers<Ops, Deps, D>,
  deps: Deps,
  options: RouteOptions<Ops, Deps> & { readonly doors?: D },
  operation: Operation = operations[name] as Operation,
): (c: Context) => Promise<Response> {
  const { doors, special, onReply, headers: always, corsOrigins = [] } = options;
  const usual = replyDefaults(always);
  const door: Door<Deps> | undefined = doors?.[name];
  const handler = routes[name] as Handler<Operation, Deps, Authority>;
  const served: Served = {
    operation,
    options: { ...options, ...special?.[name] },
    dialect: options.dialect ?? problemDetails,
    headerNames: Object.keys(operation.headers?.shape ?? {}),
    noQuery: nothingRead(operation.query),
    noHeaders: nothingRead(operation.headers),
    enter: entranceOf(operation, options.identity, door && ((arrival) => door(arrival, deps))),
    handle: (call) => handler(call, deps),
  };
  return async (c) => {
    const instead = served.options.instead?.(c);
    if (instead !== undefined) return instead;
    const reply = await replyTo(c, served);
    const cors = corsHeaders(c, operation, corsOrigins);
    const defaults = cors === undefined ? usual : replyDefaults({ ...always, ...cors });
    if (reply instanceof Response) return withDefaults(reply, defaults.bare);
    onReply?.(operation, reply);
    const listed = listIn(reply.body);
    return send(listed === undefined ? reply : { ...reply, body: await listBody(listed) }, defaults);
  };
}

type Enter = (c: Context, ip: string) => Authority | Promise<Authority>;

function entranceOf(
  { id, security, browser }: Operation,
  identity: Identity,
  door: Door<void> | undefined,
): Enter {
  const takesBrowserTokens = browser === true;
  if (door !== undefined) return (c, ip) => door({ c, ip, identity, takesBrowserTokens });
  if (security === "none") return () => NOBODY;
  if (security !== "key") throw new Error(`Invariant: operation ${id} takes a ${security} and has no door`);
  return (c, ip) => byCredentials({ c, ip, identity, takesBrowserTokens });
}

/** A mounted operation: everything that does not depend on the call. */
interface Served {
  readonly operation: Operation;
  readonly options: MountOptions & Special;
  readonly dialect: Dialect;
  /** Only declared headers are read. */
  readonly headerNames: readonly string[];
  /** What a call has whose caller sent no query or none of the headers; `undefined` if the schema refuses that. */
  readonly noQuery: () => unknown;
  readonly noHeaders: () => unknown;
  readonly enter: Enter;
  readonly handle: (call: Call<Operation, Authority>) => Promise<Reply> | Reply;
}

async function replyTo(c: Context, served: Served): Promise<Reply> {
  const { operation, options, dialect } = served;
  try {
    return await served.handle(await readCall(c, served));
  } catch (fault) {
    const failure = failureOf(fault);
    const reply = dialect(failure);
    if (reply === undefined) throw fault;
    if (failure !== fault) options.onFault?.(fault, operation.id);
    return reply;
  }
}

/**
 * Most calls have neither a query nor any of the declared headers, so what the schema makes of that is read once. Not before the
 * first call: a server that starts would compile the schemas of all operations.
 */
function nothingRead(schema: Operation["query"] | Operation["headers"]): () => unknown {
  let read: { readonly data: unknown } | undefined;
  return () => {
    // All such calls share it.
    read ??= { data: Object.freeze(schema?.safeParse({}).data) };
    return read.data;
  };
}

function readQuery(c: Context, { operation, noQuery }: Served): unknown {
  if (operation.query === undefined) return undefined;
  const given = queryOf(c);
  const nothing = given === undefined ? noQuery() : undefined;
  if (nothing !== undefined) return nothing;
  return parse(operation.query, storable(given ?? {}, "invalid_query"), "invalid_query");
}

function readHeaders(c: Context, { operation, headerNames, noHeaders }: Served): unknown {
  if (operation.headers === undefined) return undefined;
  const given = headersOf(c, headerNames);
  const nothing = given === undefined ? noHeaders() : undefined;
  if (nothing !== undefined) return nothing;
  return parse(operation.headers, given ?? {}, "invalid_query");
}

async function readCall(c: Context, served: Served): Promise<Call<Operation, Authority>> {
  const { operation, options, enter } = served;
  const ip = clientAddressOf(c, options.isTrustedProxy);
  const entered = enter(c, ip);
  const authority = entered instanceof Promise ? await entered : entered;
  const call = {
    params: parse(operation.params, storable(c.req.param(), "not_found"), "invalid_path"),
    query: readQuery(c, served),
    headers: readHeaders(c, served),
    body: undefined as unknown,
    authority,
    workspace: authority.workspace,
    by: authority.by,
    ip,
    method: c.req.method,
    path: c.req.path,
    gone: () => c.req.raw.signal,
    header: (name: string) => c.req.header(name),
    search: (name: string) => c.req.query(name),
    isWelcome: () => isWelcome(() => enter(c, ip)),
    bytes: () => bytesOf(c),
  };
  if (operation.body !== undefined) {
    const { limits = NATIVE_LIMITS, readBody } = options;
    const other = readBody === undefined ? undefined : await readBody(c, limits);
    const { value = {}, isLong } =
      other === undefined ? await readJson(c, limits) : { value: other, isLong: false };
    if (isLong) await ownTurn();
    call.body = parse(operation.body, value, "invalid_body");
    if (isLong) await ownTurn();
  }
  return call as Call<Operation, Authority>;
}

/** If the store fails while the credential is checked, the stream stays open. */
async function isWelcome(enter: () => unknown): Promise<boolean> {
  try {
    await enter();
    return true;
  } catch (fault) {
    return !(fault instanceof HttpFailure);
  }
}

/** The list in a reply, if it has one or is one. */
interface Listed {
  readonly items: readonly unknown[];
  /** The JSON around the items. */
  readonly around: () => readonly [start: string, end: string];
}

function listIn(body: unknown): Listed | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  if (Array.isArray(body)) return { items: body, around: () => ["[", "]"] };
  // In every reply with a list, the list is the first member. `Object.entries` would copy every other reply for it.
  for (const name in body) {
    const items: unknown = body[name as keyof typeof body];
    return Array.isArray(items) ? { items, around: () => membersAround(body, name) } : undefined;
  }
  return undefined;
}

function membersAround(body: object, name: string): readonly [start: string, end: string] {
  const rest = JSON.stringify({ ...body, [name]: undefined }).slice(1);
  return [`{${JSON.stringify(name)}:[`, `]${rest === "}" ? "" : ","}${rest}`];
}

/** Writes a list's JSON item by item, and yields to other requests between large items (G13). */
async function listBody({ items, around }: Listed): Promise<string | ReadableStream<Uint8Array>> {
  const texts: string[] = [];
  let [sinceTurn, characters] = [0, 0];
  for (const item of items) {
    const text = JSON.stringify(item) ?? "null";
    texts.push(text);
    sinceTurn += text.length;
    characters += text.length;
    if (sinceTurn < CHARACTERS_A_TURN) continue;
    sinceTurn = 0;
    await ownTurn();
  }
  const [start, end] = around();
  if (characters < STREAMED_CHARACTERS) return start + texts.join(",") + end;
  const left = pieces(start, texts, end);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await left.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}

const CHARACTERS_A_TURN = 512 * 1024;
/** To make one text of more than this, and bytes of that text, takes longer than a turn may. */
const STREAMED_CHARACTERS = 2 * 1024 * 1024;

async function* pieces(start: string, texts: readonly string[], end: string): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder();
  let piece = start;
  for (const [at, text] of texts.entries()) {
    piece += at === 0 ? text : `,${text}`;
    if (piece.length < CHARACTERS_A_TURN) continue;
    await ownTurn();
    yield utf8.encode(piece);
    piece = "";
  }
  await ownTurn();
  yield utf8.encode(piece + end);
}

/** Most queries have one parameter and nothing encoded in it, such as `wait=30`. */
const PLAIN_PARAMETER = /^(\w+)=(\w*)$/;

/** A parameter that occurs twice becomes a list, which only a schema for lists accepts. `undefined`: there is no query. */
function queryOf(c: Context): Record<string, unknown> | undefined {
  const at = c.req.url.indexOf("?");
  if (at === -1) return undefined;
  const text = c.req.url.slice(at + 1);
  const plain = PLAIN_PARAMETER.exec(text);
  if (plain !== null) return { [plain[1] as string]: plain[2] };
  const given = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = given.get(name);
    if (before === undefined) given.set(name, value);
    else if (typeof before === "string") given.set(name, [before, value]);
    else before.push(value);
  }
  return Object.fromEntries(given);
}

/** `undefined`: the caller sent none of them. */
function headersOf(c: Context, names: readonly string[]): Record<string, string> | undefined {
  let given: Record<string, string> | undefined;
  for (const name of names) {
    const value = c.req.header(name);
    if (value === undefined) continue;
    given ??= {};
    given[name] = value;
  }
  return given;
}
