/**
 * Mounts declared operations. Everything an operation's declaration says is done here, in one order, for every face:
 * who is calling, then what they send, then the handler; whatever goes wrong leaves in the face's own dialect.
 */

import type { IncomingMessage } from "node:http";
import type { Operation } from "@holdpoint/protocol";
import type { Problem } from "@holdpoint/protocol/rules";
import type { Context, Hono } from "hono";
import type * as z from "zod";
import type { Principal } from "../../core/principal.ts";
import type { Caller, Credentials, Identity } from "../../identity/identity.ts";
import { type BodyLimits, NATIVE_LIMITS, readJson } from "./body.ts";
import { type Dialect, type HttpReply, HttpTrouble, problemDetails } from "./respond.ts";

type Out<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export interface Call<Op extends Operation = Operation> {
  readonly params: Out<Op["params"]>;
  readonly query: Out<Op["query"]>;
  readonly headers: Out<Op["headers"]>;
  readonly body: Out<Op["body"]>;
  readonly workspace: string;
  readonly by: Principal;
  readonly ip: string;
  readonly signal: AbortSignal;
  header(name: string): string | undefined;
}

export type Handler<Op extends Operation> = (
  call: Call<Op>,
) => Promise<HttpReply | Response> | HttpReply | Response;

export interface MountOptions {
  readonly identity: Identity;
  readonly dialect?: Dialect;
  readonly limits?: BodyLimits;
  readonly onFault?: (fault: unknown, operation: string) => void;
}

const UNSAFE = new Set(["POST", "PUT", "PATCH", "DELETE"]);
const NOBODY: Caller = { workspace: "", principal: { role: "system", via: "system", id: "", name: "" } };

export function mount<Op extends Operation>(
  app: Hono,
  operation: Op,
  handler: Handler<Op>,
  options: MountOptions,
): void {
  const dialect = options.dialect ?? problemDetails;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
  app.on(operation.method, path, async (c) => {
    try {
      const call = await readCall(c, operation, options);
      const reply = await handler(call as Call<Op>);
      return reply instanceof Response ? reply : send(c, reply);
    } catch (fault) {
      if (fault instanceof HttpTrouble) return send(c, dialect(fault.trouble));
      options.onFault?.(fault, operation.id);
      return send(c, dialect({ code: isUnavailable(fault) ? "unavailable" : "internal" }));
    }
  });
}

async function readCall(c: Context, operation: Operation, options: MountOptions): Promise<Call> {
  const ip = ipOf(c);
  const caller = operation.security === "none" ? NOBODY : await callerOf(c, ip, options.identity);
  const params = parse(operation.params, c.req.param(), "invalid_path");
  const query = parse(operation.query, queryOf(c, operation), "invalid_query");
  const headers = parse(operation.headers, headersOf(c, operation), "invalid_query");
  const body =
    operation.body === undefined
      ? undefined
      : parse(
          operation.body,
          (await readJson(c, options.limits ?? NATIVE_LIMITS, false)) ?? {},
          "invalid_body",
        );
  return {
    params,
    query,
    headers,
    body,
    workspace: caller.workspace,
    by: caller.principal,
    ip,
    signal: c.req.raw.signal,
    header: (name) => c.req.header(name),
  } as Call;
}

export function send(c: Context, reply: HttpReply): Response {
  const { status, body, headers } = reply;
  if (body === undefined) return c.body(null, status as 204, headers);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return c.body(text, status as 200, { "content-type": "application/json", ...headers });
}

export function ipOf(c: Context): string {
  const incoming = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming;
  return incoming?.socket.remoteAddress ?? "local";
}

export function credentialsOf(c: Context, ip: string): Credentials {
  const site = c.req.header("sec-fetch-site");
  const origin = c.req.header("origin");
  return {
    authorization: c.req.header("authorization"),
    apiKey: c.req.header("x-api-key"),
    agentId: c.req.header("x-agent-id"),
    cookie: c.req.header("cookie"),
    csrf: c.req.header("x-csrf-token"),
    // A browser says where a request comes from; what says nothing is no browser and has no cookie to abuse.
    sameOrigin: site === undefined ? origin === undefined || isOwn(origin, c) : site === "same-origin",
    unsafe: UNSAFE.has(c.req.method),
    ip,
  };
}

function isOwn(origin: string, c: Context): boolean {
  return URL.canParse(origin) && new URL(origin).host === c.req.header("host");
}

async function callerOf(c: Context, ip: string, identity: Identity): Promise<Caller> {
  const found = await identity.authenticate(credentialsOf(c, ip));
  if (found.ok) return found.caller;
  const { why, message, retryAfterMs } = found;
  throw new HttpTrouble({
    code: why,
    detail: message,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function queryOf(c: Context, operation: Operation): Record<string, string> | undefined {
  return operation.query === undefined ? undefined : c.req.query();
}

/** Only declared headers are looked at: a request carries many that are none of our business. */
function headersOf(c: Context, operation: Operation): Record<string, string> | undefined {
  if (operation.headers === undefined) return undefined;
  const given = Object.keys(operation.headers.shape).map((name) => [name, c.req.header(name)] as const);
  return Object.fromEntries(given.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function parse(
  schema: z.ZodType | undefined,
  value: unknown,
  code: "invalid_path" | "invalid_query" | "invalid_body",
) {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (code === "invalid_path") throw new HttpTrouble({ code: "not_found" });
  const fields = parsed.error.issues.flatMap(problemsOf);
  const unknown = parsed.error.issues.every((issue) => issue.code === "unrecognized_keys");
  throw new HttpTrouble({
    code: unknown && code === "invalid_body" ? "unknown_member" : code,
    detail:
      fields[0] === undefined
        ? "it does not have the declared form"
        : `${fields[0].key}: ${fields[0].message}`,
    fields: fields.slice(0, 50),
  });
}

function problemsOf(issue: z.core.$ZodIssue): readonly Problem[] {
  const place = `/${issue.path.map(String).join("/")}`;
  if (issue.code === "unrecognized_keys") {
    return issue.keys.slice(0, 20).map((key) => ({
      key: `${place === "/" ? "" : place}/${key.slice(0, 100)}`,
      rule: "unknown_member",
      message: "no such member",
    }));
  }
  return [{ key: place, rule: issue.code, message: issue.message }];
}

/** Stopping, or the store is not there: the client should come again, not give up. */
function isUnavailable(fault: unknown): boolean {
  return fault instanceof Error && (fault.name === "EngineStopped" || fault.name === "StoreUnavailable");
}
