/** Reading a request's JSON, whole or not at all: bounded in bytes and depth before anything looks at it (G11). */

import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import { HttpTrouble } from "./respond.ts";
import { readStrictJson } from "./strict-json.ts";

export interface BodyLimits {
  readonly bytesMax: number;
  readonly depthMax: number;
}

export const NATIVE_LIMITS: BodyLimits = { bytesMax: 1024 * 1024, depthMax: 64 };

export async function readJson(c: Context, limits: BodyLimits, required: boolean): Promise<unknown> {
  const type = c.req.header("content-type");
  const text = await readText(c, limits.bytesMax);
  if (text.length === 0 && !required) return undefined;
  if (type !== undefined && !isJson(type)) {
    throw new HttpTrouble({ code: "unsupported_media_type", detail: "send application/json" });
  }
  const read = readStrictJson(text, limits.depthMax);
  switch (read.kind) {
    case "ok":
      return read.value;
    case "not_json":
      throw new HttpTrouble({ code: "invalid_json", detail: read.why });
    case "too_deep":
      throw new HttpTrouble({ code: "too_deep", detail: `nested deeper than ${limits.depthMax}` });
  }
}

function isJson(type: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type);
}

export async function readText(c: Context, bytesMax: number): Promise<string> {
  refuseAnnounced(c.req.header("content-length"), bytesMax);
  const incoming = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming;
  if (incoming !== undefined && !incoming.readableEnded && !incoming.destroyed)
    return decode(await fromNode(incoming, bytesMax));
  const body = c.req.raw.body;
  return body === null ? "" : fromWeb(body, bytesMax);
}

/** A body that is no text, unread; whoever reads it counts. */
export async function* bytesOf(c: Context): AsyncGenerator<Uint8Array> {
  const { body } = c.req.raw;
  if (body !== null) for await (const chunk of body) yield chunk;
}

/** Refused by what it says of itself, before any of it is read. */
export function refuseAnnounced(contentLength: string | undefined, bytesMax: number): void {
  if (contentLength !== undefined && Number(contentLength) > bytesMax) throw tooLarge(bytesMax);
}

/**
 * Straight from the socket: a web stream in between costs more than everything else here. What throws in a listener ends
 * the process, so these only gather.
 */
function fromNode(incoming: IncomingMessage, bytesMax: number): Promise<readonly Uint8Array[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else reject(tooLarge(bytesMax));
    });
    incoming.on("end", () => resolve(chunks));
    incoming.on("error", reject);
    incoming.on("aborted", () =>
      reject(new HttpTrouble({ code: "invalid_json", detail: "the body ended early" })),
    );
  });
}

async function fromWeb(body: ReadableStream<Uint8Array>, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return decode(chunks);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(chunks: readonly Uint8Array[]): string {
  const bytes = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
  try {
    return utf8.decode(bytes);
  } catch {
    throw new HttpTrouble({ code: "invalid_json", detail: "the body is not UTF-8" });
  }
}

export function tooLarge(bytesMax: number): HttpTrouble {
  return new HttpTrouble({ code: "too_large", detail: `at most ${bytesMax} bytes` });
}
