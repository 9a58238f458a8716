/** The addresses of an agent behind this server, once for each form. */

import { defineOperation } from "@holdpoint/protocol";
import * as z from "zod";
import { BEFORE_A_RUN } from "../face/errors.ts";
import { FORM, Id, InterruptsOut, Open, READING, RUN, RunIn, THREAD } from "../face/wire.ts";

const base = { tag: "AG-UI proxy", security: "key", params: z.strictObject({ name: Id }) } as const;
const streaming = { body: RunIn, replies: { 200: z.string() }, media: "text/event-stream" } as const;
const THROUGH = [...BEFORE_A_RUN, "not_allowed", "not_found"] as const;

export const proxyOperations = {
  runProxy: defineOperation({
    ...base,
    ...streaming,
    id: "runProxy",
    method: "POST",
    path: "/agui/proxy/{name}",
    summary: "Run the agent that is configured under this name",
    description:
      "Passes the agent's events through. A run that ends on interrupts is a group of holds; their answers, whichever doors they come by, are released to the agent once, complete.",
    query: RUN,
    errors: THROUGH,
  }),

  runDraftProxy: defineOperation({
    ...base,
    ...streaming,
    id: "runDraftProxy",
    method: "POST",
    path: "/agui/draft/proxy/{name}",
    summary: "Run it in the draft form of interrupts",
    errors: THROUGH,
  }),

  connectProxy: defineOperation({
    ...base,
    ...streaming,
    id: "connectProxy",
    method: "POST",
    path: "/agui/proxy/{name}/connect",
    summary: "A thread as it stands: history as snapshots, then what is open or how it ended; runs nothing",
    query: FORM,
    errors: THROUGH,
  }),

  proxyCapabilities: defineOperation({
    ...base,
    id: "proxyCapabilities",
    method: "GET",
    path: "/agui/proxy/{name}/capabilities",
    summary: "What the agent can do with Holdpoint in front of it",
    replies: { 200: z.looseObject({ humanInTheLoop: Open }) },
    errors: ["unauthenticated", "agent_mismatch", "not_found"],
  }),

  proxyInterrupts: defineOperation({
    ...base,
    id: "proxyInterrupts",
    method: "GET",
    path: "/agui/proxy/{name}/interrupts",
    summary: "What a thread of the agent waits for, and what was answered",
    query: THREAD,
    replies: { 200: InterruptsOut },
    errors: [...READING, "not_allowed", "not_found"],
  }),
};
