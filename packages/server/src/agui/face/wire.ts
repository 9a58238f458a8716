/** What goes over the wire in every AG-UI operation of this server. */

import * as z from "zod";

export const Id = z.string().min(1).max(200);
export const Open = z.looseObject({});

export const RunIn = z
  .looseObject({
    threadId: Id,
    runId: Id,
    protocolVersion: z.string().exactOptional(),
    messages: z.array(z.looseObject({ id: z.string().min(1), role: z.string().min(1) })).exactOptional(),
    tools: z.array(z.looseObject({ name: z.string().min(1) })).exactOptional(),
    context: z.array(Open).exactOptional(),
    state: z.unknown().exactOptional(),
    forwardedProps: z.unknown().exactOptional(),
    resume: z
      .union([
        z.array(z.looseObject({ interruptId: Id, status: z.enum(["resolved", "cancelled"]) })),
        Open,
        z.null(),
      ])
      .exactOptional()
      .describe("A list in the released form, one object in the draft."),
  })
  .meta({
    examples: [
      { threadId: "t1", runId: "r1", messages: [{ id: "m1", role: "user", content: "approval please" }] },
    ],
  });

const InterruptOut = z.looseObject({ id: z.string(), reason: z.string() });
export const InterruptsOut = z.strictObject({
  threadId: z.string(),
  interrupts: z.array(InterruptOut),
  history: z.array(z.looseObject({ interrupt: InterruptOut, status: z.string(), at: z.string() })),
});

export const FileOut = z.strictObject({
  file_id: z.string(),
  name: z.string(),
  sha256: z.string(),
  bytes: z.int().min(0),
});

export const FORM = z.strictObject({ interruptForm: z.enum(["released", "draft"]).exactOptional() });
export const RUN = FORM.extend({
  partialResume: z
    .enum(["keep", "refuse"])
    .exactOptional()
    .describe("`keep`: answers to some of what is open are kept, and the run ends on the rest."),
});
export const THREAD = z.strictObject({ threadId: Id });
export const READING = ["unauthenticated", "agent_mismatch", "invalid_query"] as const;
