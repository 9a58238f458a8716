/** Reads what a client posted. Unknown members are ignored; known ones must have their form (AG-021, AG-026, AG-027). */

import * as z from "zod";
import { isDeeperThan, isObject, type Json, type JsonObject, member } from "../rules/index.ts";
import type { Resume, RunInput } from "./types.ts";

export type InputReading =
  | { readonly ok: true; readonly input: RunInput; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly path: string; readonly message: string };

/** A thread's id is also a label on its holds. */
const Id = z.string().min(1).max(200);
/** It is part of an address too, where some texts mean something else or nothing. */
const ThreadId = Id.refine(
  (id) => id.isWellFormed() && !id.includes("\0") && id !== "." && id !== "..",
  "cannot name a thread",
);
const DEPTH_MAX = 48;
const ENTRIES_MAX = 100;
/** Only the first problem is told. Zod's `validate` sets this to stop there; a parse takes it too, although its types do not say so. */
const FIRST_ONLY = { abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>;

const Message = z.looseObject({ id: z.string().min(1), role: z.string().min(1) });

const Input = z.looseObject({
  threadId: ThreadId,
  runId: Id,
  protocolVersion: z.string().exactOptional(),
  parentRunId: z.string().nullish(),
  messages: z.array(Message).exactOptional(),
  tools: z.array(z.looseObject({ name: z.string().min(1) })).exactOptional(),
  context: z.array(z.looseObject({})).exactOptional(),
});

const Entry = z.looseObject({
  interruptId: Id,
  status: z.enum(["resolved", "cancelled"]),
  payload: z.custom<Json>((value) => value !== null, "must not be null").optional(),
  metadata: z.custom<JsonObject>(isObject, "must be an object").exactOptional(),
});

const Single = z.looseObject({ interruptId: Id.exactOptional(), threadId: Id.exactOptional() });

export function readRunInput(body: unknown): InputReading {
  if (!isObject(body)) return wrong("", "the body must be a JSON object");
  if (isDeeperThan(body, DEPTH_MAX)) return wrong("", `nested deeper than ${DEPTH_MAX} levels`);
  const read = Input.safeParse(body, FIRST_ONLY);
  if (!read.success) return firstIssue(read.error, "");
  const { threadId, runId, protocolVersion, parentRunId, messages, tools = [], context = [] } = read.data;
  if (protocolVersion !== undefined && messages === undefined) return wrong("/messages", "must be given");
  const version = versionWarning(protocolVersion);
  if (version === "refused") return wrong("/protocolVersion", "this endpoint speaks version 1");
  const resume = readResume(body);
  if (resume !== undefined && "ok" in resume) return resume;
  const input = {
    threadId,
    runId,
    tools,
    context: context as readonly JsonObject[],
    ...given("protocolVersion", protocolVersion),
    ...given("parentRunId", parentRunId ?? undefined),
    ...given("messages", messages),
    ...given("state", member(body, "state")),
    ...given("forwardedProps", member(body, "forwardedProps")),
    ...given("resume", resume),
  } as RunInput;
  return { ok: true, input, warnings: version === undefined ? [] : [version] };
}

/** Versions we can read are served, and so is one that says nothing sensible (AG-025). */
function versionWarning(version: string | undefined): string | "refused" | undefined {
  if (version === undefined || version === "1.0") return undefined;
  const major = /^(\d+)(?:\.\d+)*$/.exec(version)?.[1];
  if (major !== undefined && major !== "1") return "refused";
  return `the client speaks AG-UI ${version.slice(0, 40)}; served as 1.0`;
}

function readResume(body: JsonObject): Resume | undefined | Extract<InputReading, { ok: false }> {
  const resume = member(body, "resume");
  if (resume === undefined || resume === null) return legacyResume(member(body, "forwardedProps"));
  if (Array.isArray(resume)) {
    const read = z.array(Entry).max(ENTRIES_MAX).safeParse(resume, FIRST_ONLY);
    if (!read.success) return firstIssue(read.error, "/resume");
    return {
      kind: "list",
      entries: read.data.map(({ interruptId, status, payload, metadata }) => ({
        interruptId,
        status,
        ...given("payload", payload),
        ...given("metadata", metadata),
      })),
    };
  }
  if (!isObject(resume)) return wrong("/resume", "must be a list or an object");
  const read = Single.safeParse(resume);
  if (!read.success) return firstIssue(read.error, "/resume");
  return single("draft", member(resume, "payload"), read.data);
}

/** The spelling of LangGraph's days: `forwardedProps.command.resume`, often as JSON inside a text (AG-091). */
function legacyResume(forwardedProps: Json | undefined): Resume | undefined {
  const command = isObject(forwardedProps) ? member(forwardedProps, "command") : undefined;
  const resume = isObject(command) ? member(command, "resume") : undefined;
  if (resume === undefined || resume === null || !isObject(command)) return undefined;
  const id = member(command, "interruptId");
  const read = single(
    "legacy",
    typeof resume === "string" ? parsed(resume) : resume,
    typeof id === "string" ? { interruptId: id } : {},
  );
  return typeof resume === "string" && read.status === "resolved" ? { ...read, text: resume } : read;
}

function single(
  spelling: "draft" | "legacy",
  payload: Json | undefined,
  { interruptId, threadId }: { readonly interruptId?: string; readonly threadId?: string },
): Extract<Resume, { kind: "single" }> {
  const isCancelled = isObject(payload) && member(payload, "cancelled") === true;
  return {
    kind: "single",
    spelling,
    status: isCancelled ? "cancelled" : "resolved",
    ...given("interruptId", interruptId),
    ...given("threadId", threadId),
    ...given("payload", isCancelled || payload === null ? undefined : payload),
  };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function firstIssue(error: z.ZodError, root: string): Extract<InputReading, { ok: false }> {
  const [issue] = error.issues;
  const path = (issue?.path ?? []).map((part) => `/${String(part)}`).join("");
  return wrong(root + path, issue?.message ?? "has not the right form");
}

function wrong(path: string, message: string): Extract<InputReading, { ok: false }> {
  return { ok: false, path, message };
}

function given<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [N in Name]?: Value };
}
