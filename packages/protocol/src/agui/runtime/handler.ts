/** The fetch handler: what HTTP has to say before a run begins, and the three addresses of an agent. */

import type { ClaimedName } from "../../client/index.ts";
import { FORM_HEADER, FORM_PARAMETER, isInterruptForm, PARTIAL_PARAMETER, readRunInput } from "../index.ts";
import { capabilitiesOf } from "./capabilities.ts";
import { RunRefusal } from "./codes.ts";
import { runEvents } from "./conduct.ts";
import { connectEvents } from "./connect.ts";
import { passOn } from "./files.ts";
import { type AgUiHandlerOptions, Handling } from "./handling.ts";
import { openInterrupts } from "./open-interrupts.ts";
import { protobufCodec, wantsProtobuf } from "./protobuf.ts";
import { refusedEvents } from "./run-errors.ts";
import { eventStream, SSE } from "./stream.ts";
import { afterLong } from "./turns.ts";

export interface AgUiHandler {
  /**
   * `POST` runs the agent; `POST …/connect` tells a thread as it stands and runs nothing; `GET …/capabilities` says what it can do; `GET …/interrupts?threadId=` lists what a thread waits
   * for; `POST …/files?threadId=&interruptId=&name=` takes a file to answer with.
   */
  (request: Request): Promise<Response>;
  /** Stops the run of a thread that is under way in this process; false: there is none. */
  stop(threadId: string): boolean;
  /** Goes on with a thread whose answers are complete, for nobody; resolves at its end. Begins nothing, and tells no error. */
  goOn(threadId: string): Promise<void>;
}

const BODY_BYTES_MAX = 10 * 1024 * 1024;

/**
 * Serves an agent over AG-UI. Its interrupts are holds: they outlive this process, are seen and answered through every door,
 * and the run goes on once, with all answers.
 *
 * @example
 * ```ts
 * import { createAgUiHandler } from "@holdpoint/adapters/ag-ui";
 * import { Holdpoint } from "@holdpoint/sdk";
 *
 * const handler = createAgUiHandler({
 *   holdpoint: new Holdpoint(),
 *   identify: () => ({ id: "u1", name: "Ada" }),
 *   async *agent(run) {
 *     yield "One moment.";
 *     const { kind } = await run.tool({ name: "refund", args: { amount: 40 }, execute: () => "refunded" });
 *     return { refund: kind };
 *   },
 * });
 * ```
 */
export function createAgUiHandler(options: AgUiHandlerOptions): AgUiHandler {
  const handling = new Handling(options);
  const handle = (request: Request) => respond(request, handling);
  return Object.assign(handle, {
    stop: (threadId: string) => handling.stop(threadId),
    goOn: (threadId: string) => goOn(threadId, handling),
  });
}

async function goOn(threadId: string, handling: Handling): Promise<void> {
  const runId = `run_${handling.machine.newKey()}`;
  const request = { input: { threadId, runId, tools: [], context: [] }, person: null, mayBegin: false };
  const events = runEvents(handling, {
    ...request,
    explicitForm: undefined,
    gone: new AbortController().signal,
  });
  for await (const _event of events);
}

async function respond(request: Request, handling: Handling): Promise<Response> {
  const { pathname } = new URL(request.url);
  const isReading = request.method === "GET";
  if (isReading && pathname.endsWith("/capabilities")) {
    const { identity = { name: "agent" }, protobuf } = handling.options;
    return json(200, capabilitiesOf(identity, protobuf !== undefined));
  }
  if (isReading && pathname.endsWith("/interrupts")) return listInterrupts(request, handling);
  if (request.method === "POST" && pathname.endsWith("/files")) return takeFile(request, handling);
  if (request.method === "POST") return run(request, handling, pathname.endsWith("/connect"));
  return json(405, { error: "this address takes POST" }, { allow: "POST" });
}

async function listInterrupts(request: Request, handling: Handling): Promise<Response> {
  const threadId = new URL(request.url).searchParams.get("threadId") ?? "";
  if (threadId === "" || threadId.length > 200) return json(400, { error: "threadId must be given" });
  const person = await personOf(request, handling.options);
  if (person === null) return json(403, { error: "nobody is signed in" });
  if (!(await isTheirs(person, threadId, handling.options))) return json(403, { error: NOT_THEIRS });
  return json(200, await openInterrupts(handling, threadId));
}

const FileQuery = ["threadId", "interruptId", "name"] as const;

async function takeFile(request: Request, handling: Handling): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const [threadId = "", interruptId = "", name = ""] = FileQuery.map((each) => query.get(each) ?? "");
  if ([threadId, interruptId, name].some((text) => text === "" || text.length > 200))
    return json(400, { error: `${FileQuery.join(", ")} must be given` });
  const person = await personOf(request, handling.options);
  if (person === null) return json(403, { error: "nobody is signed in" });
  if (!(await isTheirs(person, threadId, handling.options))) return json(403, { error: NOT_THEIRS });
  const asked = { threadId, interruptId, name, person: person.name ?? person.id ?? "" };
  const reply = await passOn(handling.options.holdpoint, asked, (max) => readBytes(request, max));
  return json(reply.status, reply.body);
}

async function run(request: Request, handling: Handling, isConnecting: boolean): Promise<Response> {
  const { options } = handling;
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    return json(415, { error: "send application/json" });
  }
  const explicit =
    new URL(request.url).searchParams.get(FORM_PARAMETER) ?? request.headers.get(FORM_HEADER) ?? undefined;
  if (explicit !== undefined && !isInterruptForm(explicit)) {
    return json(400, { error: `${FORM_PARAMETER} is released or draft` });
  }
  const partial = new URL(request.url).searchParams.get(PARTIAL_PARAMETER) ?? "refuse";
  if (partial !== "keep" && partial !== "refuse") {
    return json(400, { error: `${PARTIAL_PARAMETER} is keep or refuse` });
  }
  const text = await readText(request);
  if (text === null) return json(413, { error: `at most ${BODY_BYTES_MAX} bytes` });
  await afterLong(text.length);
  const body = parsed(text);
  if (body === undefined) return json(400, { error: "the body is not JSON" });
  await afterLong(text.length);
  const read = readRunInput(body);
  await afterLong(text.length);
  if (!read.ok) return json(400, { error: `${read.path} ${read.message}`.trim(), path: read.path });
  for (const warning of read.warnings) options.onWarning?.(warning);
  const person = await personOf(request, options);
  const gone = new AbortController();
  request.signal.addEventListener("abort", () => gone.abort(), { once: true });
  const explicitForm = options.form ?? explicit;
  const { protobuf } = options;
  const isBinary = protobuf !== undefined && wantsProtobuf(request.headers.get("accept"));
  const codec = isBinary ? protobufCodec(protobuf) : SSE;
  if (!(await isTheirs(person, read.input.threadId, options))) {
    const events = refusedEvents(read.input, new RunRefusal("NOT_ALLOWED", NOT_THEIRS));
    return eventStream(events, handling.machine, () => undefined, codec);
  }
  const events = isConnecting
    ? connectEvents(handling, { input: read.input, explicitForm, isKnown: person !== null })
    : runEvents(handling, {
        ...{ input: read.input, explicitForm, person, gone: gone.signal },
        ...{ mayBePartial: partial === "keep", mayBegin: true },
      });
  return eventStream(events, handling.machine, () => gone.abort(), codec);
}

/** An app that cannot tell who is there has nobody there. */
async function personOf(request: Request, options: AgUiHandlerOptions): Promise<ClaimedName | null> {
  try {
    return await options.identify(request);
  } catch (error) {
    options.onError?.(error);
    return null;
  }
}

const NOT_THEIRS = "This conversation is somebody else's.";

async function isTheirs(
  person: ClaimedName | null,
  threadId: string,
  { owns, onError }: AgUiHandlerOptions,
): Promise<boolean> {
  try {
    return owns === undefined || (await owns(person, threadId));
  } catch (error) {
    onError?.(error);
    return false;
  }
}

async function readText(request: Request): Promise<string | null> {
  const bytes = await readBytes(request, BODY_BYTES_MAX);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}

/** Null: it is more than that. */
async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) return null;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  if (request.body !== null) {
    for await (const chunk of request.body) {
      bytes += chunk.length;
      if (bytes > bytesMax) return null;
      chunks.push(chunk);
    }
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}
