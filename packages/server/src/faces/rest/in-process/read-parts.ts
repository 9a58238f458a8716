/** Checks what in-process callers give, by the same rules and limits as a request over HTTP (G11). */

import type { Operation } from "@holdpoint/protocol";
import { type BodyLimits, NATIVE_LIMITS, readJsonText, tooLarge } from "../../http/body.ts";
import { type Out, parse, storable } from "../../http/parts.ts";
import { special } from "../operations.ts";

export interface GivenParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Anything that JSON can carry; it is copied. */
  readonly body?: unknown;
}

export interface ReadParts<Op extends Operation> {
  readonly params: Out<Op["params"]>;
  readonly query: Out<Op["query"]>;
  readonly body: Out<Op["body"]>;
}

export async function readParts<Op extends Operation>(
  operation: Op,
  { params = {}, query = {}, body = {} }: GivenParts,
): Promise<ReadParts<Op>> {
  const asText = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  );
  const checked = {
    params: parse(operation.params, storable(params, "not_found"), "invalid_path"),
    query: parse(operation.query, storable(Object.fromEntries(asText), "invalid_query"), "invalid_query"),
    body: operation.body && parse(operation.body, await asSent(body, limitsOf(operation)), "invalid_body"),
  };
  return checked as ReadParts<Op>;
}

function limitsOf({ id }: Operation): BodyLimits {
  return Object.hasOwn(special, id) ? special[id as keyof typeof special].limits : NATIVE_LIMITS;
}

/** The value as the wire would carry it: a copy that shares nothing with the caller's objects. */
async function asSent(value: unknown, limits: BodyLimits): Promise<unknown> {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > limits.bytesMax) throw tooLarge(limits.bytesMax);
  return (await readJsonText(text, limits)).value;
}
