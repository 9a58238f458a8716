/** The demo agent's addresses, once for each form. */

import { defineOperation, type Operation, type OperationSet } from "@holdpoint/protocol";
import * as z from "zod";
import { proxyOperations } from "../proxy/operations.ts";
import { agUiErrors, BEFORE_A_RUN, ErrorOut } from "./errors.ts";
import { FileOut, FORM, Id, InterruptsOut, Open, READING, RunIn, THREAD } from "./wire.ts";

const base = { tag: "AG-UI demo", security: "key" } as const;

export const demoOperations = {
  runDemo: defineOperation({
    ...base,
    id: "runDemo",
    method: "POST",
    path: "/agui/demo",
    summary: "Run the scripted demo agent over AG-UI",
    description:
      "The first word of the last user message chooses the scenario: approval, edits, parallel, form, confirmation, file, policy, wizard, database or recovery.",
    query: FORM,
    body: RunIn,
    replies: { 200: z.string() },
    media: "text/event-stream",
    errors: [...BEFORE_A_RUN, "not_allowed"],
  }),

  runDraftDemo: defineOperation({
    ...base,
    id: "runDraftDemo",
    method: "POST",
    path: "/agui/draft/demo",
    summary: "Run the demo agent in the draft form of interrupts",
    body: RunIn,
    replies: { 200: z.string() },
    media: "text/event-stream",
    errors: [...BEFORE_A_RUN, "not_allowed"],
  }),

  demoCapabilities: defineOperation({
    ...base,
    id: "demoCapabilities",
    method: "GET",
    path: "/agui/demo/capabilities",
    summary: "What the demo agent can do",
    replies: { 200: z.looseObject({ humanInTheLoop: Open }) },
    errors: ["unauthenticated", "agent_mismatch"],
  }),

  demoInterrupts: defineOperation({
    ...base,
    id: "demoInterrupts",
    method: "GET",
    path: "/agui/demo/interrupts",
    summary: "What a thread of the demo agent waits for, and what was answered",
    query: THREAD,
    replies: { 200: InterruptsOut },
    errors: [...READING, "not_allowed"],
  }),

  demoFile: defineOperation({
    ...base,
    id: "demoFile",
    method: "POST",
    path: "/agui/demo/files",
    summary: "Upload a file to answer an interrupt of the demo agent with",
    query: z.strictObject({ threadId: Id, interruptId: Id, name: Id }),
    bytes: true,
    replies: { 201: FileOut },
    errors: [...READING, "not_allowed", "not_found", "already_settled", "invalid_answer", "too_large"],
  }),
};

/** Only a server that other machines cannot reach (`isLocal`) has the demo agent. */
export function agUiSetOf(isLocal: boolean): OperationSet {
  const operations: readonly Operation[] = [
    ...(isLocal ? Object.values(demoOperations) : []),
    ...Object.values(proxyOperations),
  ];
  return { ...SET, operations };
}

const SET: Omit<OperationSet, "operations"> = {
  name: "agui",
  title: "AG-UI",
  components: { AgUiRunIn: RunIn, AgUiErrorOut: ErrorOut },
  errors: {
    table: agUiErrors,
    body: ErrorOut,
    media: "application/json",
    always: ["rate_limited", "internal", "unavailable"],
    codeOf: ({ code }) => (typeof code === "string" ? code : undefined),
  },
};
