/** Hostile requests to one operation. Those that no server may accept say so; the others may be taken or refused. */

import type { Operation } from "@holdpoint/protocol";
import { bendings } from "./bend.ts";
import { samplesOf } from "./samples.ts";

export interface HostileRequest {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly never: boolean;
}

/** What a well-meant call would carry, so that only the bent part is wrong. */
export interface Subject {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of bodies made from the schema. */
  readonly bodies?: readonly unknown[];
}

const JSON_TYPE = { "content-type": "application/json" };

/** `everyNth`: of the requests that differ in one bent value only, one in so many; which one differs from place to place. */
export function* hostileRequests(
  operation: Operation,
  subject: Subject,
  everyNth = 1,
): Generator<HostileRequest> {
  const path = pathOf(operation, subject.params ?? {}) + queryText(subject.query ?? {});
  const headers = subject.headers ?? {};
  const base = { method: operation.method, path, headers };
  yield* badPaths(operation, subject);
  yield* nth(badQueries(operation, subject), everyNth);
  yield* badHeaders(operation, subject);
  if (operation.body === undefined) return;
  const samples = subject.bodies ?? samplesOf(operation.body);
  const sent = { ...headers, ...JSON_TYPE };
  yield* badTexts({ ...base, headers: sent }, samples[0], operation);
  for (const type of ["text/plain", "application/xml", "image/png", "nonsense", "application/jsonp"]) {
    const body = JSON.stringify(samples[0]);
    yield {
      ...base,
      what: `sent as ${type}`,
      headers: { ...headers, "content-type": type },
      body,
      never: true,
    };
  }
  for (const { what, value, never } of nth(bendings(samples), everyNth)) {
    const isRefused = never || !operation.body.safeParse(value).success;
    yield { ...base, what, headers: sent, body: JSON.stringify(value), never: isRefused };
  }
}

function* nth<T>(all: Iterable<T>, everyNth: number): Generator<T> {
  let at = 0;
  for (const one of all) if (at++ % everyNth === 0) yield one;
}

function* badTexts(
  base: Omit<HostileRequest, "what" | "never" | "body">,
  sample: unknown,
  operation: Operation,
): Generator<HostileRequest> {
  const whole = JSON.stringify(sample);
  const [name = "a"] = Object.keys(sample as object);
  const twice = `{"${name}":1,${whole.slice(1)}`;
  const texts: readonly (readonly [string, string | Uint8Array<ArrayBuffer>])[] = [
    ["half a body", whole.slice(0, -1)],
    ["two bodies", whole + whole],
    ["a list around it", `[${whole}]`],
    ["null", "null"],
    ["a number", "17"],
    ["text", '"x"'],
    ["no JSON", "{'single': quotes}"],
    ["NaN", '{"a":NaN}'],
    ["a comma too many", '{"a":1,}'],
    ["no UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ["a member twice", twice === `{"${name}":1,}` ? '{"a":1,"a":2}' : twice],
    ["a prototype", `{"__proto__":{"isAdmin":true}}`],
    ["a prototype inside", `{"context":{"__proto__":{}}}`],
    ["a number beyond all", `{"a":1e999}`],
    ["an integer that would change", `{"a":12345678901234567890}`],
    ["half a million brackets", "[".repeat(500_000)],
    ["half a million levels", "[".repeat(250_000) + "]".repeat(250_000)],
    ["too many bytes", `{"a":"${"x".repeat(tooManyBytes(operation))}"}`],
  ];
  for (const [what, body] of texts) yield { ...base, what, body, never: true };
  yield { ...base, what: "no body", never: operation.body?.safeParse({}).success === false };
}

/** Conversations may have 10 MiB, everything else one. */
function tooManyBytes({ path }: Operation): number {
  return (path.startsWith("/agui/") || path.startsWith("/v1/threads/") ? 12 : 2) * 1024 * 1024;
}

const BAD_TEXT = [
  "%00",
  "%ED%A0%80",
  "%",
  "%zz",
  "%E0%A4%A",
  "%2e%2e%2f",
  "a".repeat(5_000),
  "%20",
  "'--",
  "💥",
];

function* badPaths(operation: Operation, subject: Subject): Generator<HostileRequest> {
  for (const name of Object.keys(operation.params?.shape ?? {})) {
    for (const text of BAD_TEXT) {
      const path = pathOf(operation, { ...subject.params, [name]: text }, false);
      yield {
        what: `${name} is ${text.slice(0, 20)}`,
        method: operation.method,
        path: path + queryText(subject.query ?? {}),
        headers: { ...subject.headers, ...(operation.body === undefined ? {} : JSON_TYPE) },
        ...(operation.body === undefined ? {} : { body: JSON.stringify(bodyOf(operation, subject)) }),
        // Whoever names things by ids of their own may take any text that can be kept.
        never: text === "%00" || text.length > 1_000,
      };
    }
  }
}

function bodyOf(operation: Operation, subject: Subject): unknown {
  return subject.bodies?.[0] ?? (operation.body === undefined ? undefined : samplesOf(operation.body)[0]);
}

const ODD_TEXT = [
  "",
  "0",
  "-1",
  "1.5",
  "99999999999999999999",
  "true",
  "x".repeat(600),
  "\u0000",
  "<b>",
  "a,,b",
  "%",
  "..",
  "open open",
];

function* badQueries(operation: Operation, subject: Subject): Generator<HostileRequest> {
  if (operation.query === undefined) return;
  const base = {
    method: operation.method,
    headers: { ...subject.headers, ...(operation.body === undefined ? {} : JSON_TYPE) },
    ...(operation.body === undefined ? {} : { body: JSON.stringify(bodyOf(operation, subject)) }),
  };
  const path = pathOf(operation, subject.params ?? {});
  for (const name of [
    ...Object.keys(operation.query.shape),
    "no_such_parameter",
    "__proto__",
    "constructor",
  ]) {
    for (const value of ODD_TEXT) {
      const query = { ...subject.query, [name]: value };
      const never = !operation.query.safeParse(query).success || value.includes("\u0000");
      yield { ...base, what: `?${name}=${value.slice(0, 20)}`, path: path + queryText(query), never };
    }
    const twice = `?${name}=1&${name}=2`;
    const never = !operation.query.safeParse({ ...subject.query, [name]: ["1", "2"] }).success;
    yield { ...base, what: twice, path: path + twice, never };
    yield { ...base, what: `?${name}=%E0%A4%A`, path: `${path}?${name}=%E0%A4%A`, never: false };
  }
}

function* badHeaders(operation: Operation, subject: Subject): Generator<HostileRequest> {
  const base = {
    method: operation.method,
    path: pathOf(operation, subject.params ?? {}) + queryText(subject.query ?? {}),
    ...(operation.body === undefined ? {} : { body: JSON.stringify(bodyOf(operation, subject)) }),
  };
  const json = operation.body === undefined ? {} : JSON_TYPE;
  for (const [name, schema] of Object.entries(operation.headers?.shape ?? {})) {
    for (const value of [
      "-1",
      "x".repeat(5_000),
      "\u00ff\u00fe",
      "1e5",
      "99999999999999999999",
      "{}",
      "a, b",
    ]) {
      const headers = { ...subject.headers, ...json, [name]: value };
      const never = !(schema as { safeParse(v: unknown): { success: boolean } }).safeParse(value).success;
      yield { ...base, what: `${name}: ${value.slice(0, 20)}`, headers, never };
    }
  }
  for (const key of [
    "",
    " ",
    "Bearer",
    "Bearer ",
    "Basic eDp5",
    `Bearer ${"x".repeat(5_000)}`,
    "Bearer \u00ff",
  ]) {
    if (operation.security !== "key") continue;
    const headers = { ...subject.headers, ...json, authorization: key };
    yield { ...base, what: `authorization: ${key.slice(0, 20)}`, headers, never: true };
  }
}

function pathOf(operation: Operation, params: Readonly<Record<string, string>>, encoded = true): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? "none";
    return encoded ? encodeURIComponent(value) : value;
  });
}

function queryText(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? "" : `?${text}`;
}
