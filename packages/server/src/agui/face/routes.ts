/** The demo agent's addresses. */

import type { Handlers } from "../../faces/http/mount.ts";
import type { Demos } from "./demo.ts";
import type { demoOperations } from "./operations.ts";

export const demoRoutes = {
  runDemo: (call, demos) => demos.run(call, undefined, call.query.interruptForm),
  runDraftDemo: (call, demos) => demos.run(call, "draft"),
  demoCapabilities: (call, demos) => demos.read(call, "capabilities"),
  demoInterrupts: (call, demos) => demos.read(call, `interrupts?${new URLSearchParams(call.query)}`),
  demoFile: (call, demos) => demos.file(call, `files?${new URLSearchParams(call.query)}`),
} satisfies Handlers<typeof demoOperations, Demos>;
