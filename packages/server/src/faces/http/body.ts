/**
 * Reads a request's JSON. Its size, its depth and the number of its values are checked before any other code uses it (G11).
 * A long body is read in several turns of the event loop (G13).
 */

import type { IncomingMessage } from "node:http";
import type { JsonBounds } from "@holdpoint/protocol/rules";
import type { Context } from "hono";
import { inOwnTurns, ownTurn } from "../../system/own-turn.ts";
import { fail, type HttpFailure } from "./failure.ts";
import { type JsonVerdict, readStrictJson, strictJsonSteps } from "./strict-json.ts";

export interface BodyLimits extends JsonBounds {
  readonly bytesMax: number;
}

const MEBIBYTE = 1024 * 1024;

export const NATIVE_LIMITS: BodyLimits = { bytesMax: MEBIBYTE, depthMax: 64, valuesMax: 50_000 };
/** Larger limits for conversations, whose requests contain all messages and the state. */
export const CONVERSATION_LIMITS: BodyLimits = {
  bytesMax: 10 * MEBIBYTE,
  depthMax: 64,
  valuesMax: 100_000,
};

/** Longer bodies are processed in several turns, so that other requests are served in between (G13). */
const LONG_TEXT = 16 * 1024;

/** Await this between two steps of work on one long text. */
export async function afterLongText(text: string): Promise<void> {
  if (text.length > LONG_TEXT) await ownTurn();
}

export interface SentJson {
  /** Absent if the body was empty. */
  readonly value?: unknown;
  readonly isLong: boolean;
}

export async function readJson(c: Context, limits: BodyLimits): Promise<SentJson> {
  const type = c.req.header("content-type");
  const text = decode(await readBytes(c, limits.bytesMax));
  if (text.length === 0) return { isLong: false };
  if (type !== undefined && !isJson(type)) {
    throw fail("unsupported_media_type", "send application/json");
  }
  return readJsonText(text, limits);
}

/** Checks and parses JSON text whose size in bytes is already checked. A short one needs no steps, and most are short. */
export function readJsonText(text: string, limits: BodyLimits): SentJson | Promise<SentJson> {
  if (text.length <= LONG_TEXT) return sentJson(text, readStrictJson(text, limits), limits);
  return inOwnTurns(strictJsonSteps(text, limits)).then((read) => sentJson(text, read, limits));
}

function sentJson(text: string, read: JsonVerdict, limits: BodyLimits): SentJson {
  switch (read.kind) {
    case "ok":
      return { value: read.value, isLong: text.length > LONG_TEXT };
    case "not_json":
      throw fail("invalid_json", read.why);
    case "too_deep":
      throw fail("too_deep", `nested deeper than ${limits.depthMax}`);
    case "too_many":
      throw fail("too_large", `at most ${limits.valuesMax} JSON values`);
  }
}

function isJson(type: string): boolean {
  return type === "application/json" || /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type);
}

export async function readText(c: Context, bytesMax: number): Promise<string> {
  return decode(await readBytes(c, bytesMax));
}

function readBytes(c: Context, bytesMax: number): Promise<readonly Uint8Array[]> {
  refuseAnnounced(c.req.header("content-length"), bytesMax);
  const incoming = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming;
  if (incoming !== undefined && !incoming.readableEnded && !incoming.destroyed)
    return fromNode(incoming, bytesMax);
  return fromWeb(c.req.raw.body, bytesMax);
}

/** A binary body that is not read yet; the reader must count its bytes. */
export async function* bytesOf(c: Context): AsyncGenerator<Uint8Array> {
  const { body } = c.req.raw;
  if (body !== null) for await (const chunk of body) yield chunk;
}

/**
 * Many clients read the reply only after they have sent the whole body. So the server discards this many bytes beyond the limit
 * before it replies with the refusal; if a client sends more, the server closes the connection.
 */
export const HEARD_BYTES_MAX = 64 * MEBIBYTE;

/** Refuses a body by its `content-length`, before reading it. */
export function refuseAnnounced(contentLength: string | undefined, bytesMax: number): void {
  const announced = Number(contentLength ?? 0);
  if (announced > bytesMax) throw tooLarge(bytesMax, announced > HEARD_BYTES_MAX);
}

/**
 * Reads from the Node request, because a web stream costs more than everything else here. An exception in a listener would end
 * the process, so the listeners only collect chunks.
 */
function fromNode(incoming: IncomingMessage, bytesMax: number): Promise<readonly Uint8Array[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else reject(tooLarge(bytesMax));
      if (bytes > HEARD_BYTES_MAX) incoming.destroy();
    });
    incoming.on("end", () => resolve(chunks));
    incoming.on("error", reject);
    incoming.on("aborted", () => reject(fail("invalid_json", "the body ended early")));
  });
}

async function fromWeb(
  body: ReadableStream<Uint8Array> | null,
  bytesMax: number,
): Promise<readonly Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return chunks;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(chunks: readonly Uint8Array[]): string {
  const bytes = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
  try {
    return utf8.decode(bytes);
  } catch {
    throw fail("invalid_json", "the body is not UTF-8");
  }
}

export function tooLarge(bytesMax: number, hangsUp = false): HttpFailure {
  return fail("too_large", `at most ${bytesMax} bytes`, {}, { hangsUp });
}
