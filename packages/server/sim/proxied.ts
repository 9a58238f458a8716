/** Somebody's agent behind the AG-UI proxy. It asks before it pays, fails before or after it has paid, and counts what it paid. */

import type { ProxySettings } from "../src/agui/proxy/settings.ts";
import type { Random } from "./random.ts";

interface Input {
  readonly threadId: string;
  readonly resume?: readonly { readonly payload?: { readonly approved?: boolean } }[];
}

export class ProxiedAgent {
  /** Payments by thread. */
  readonly paid = new Map<string, number>();
  /** The hold of each thread, as its client was told. */
  readonly holds = new Map<string, string>();
  readonly settings: ProxySettings;

  constructor(random: Random, failing: () => number) {
    const ended = (outcome: object) => ({
      ...({ kind: "ended", event: { type: "RUN_FINISHED", outcome } as never } as const),
    });
    this.settings = {
      ...{ autoResume: true, idempotent: false, ladder: [], links: "server" },
      ask: async ({ body, onEvent }) => {
        const { threadId, resume } = body as Input;
        if (random.chance(failing())) return { kind: "refused", error: "ECONNREFUSED" };
        if (resume === undefined) {
          const call = { toolCallId: "c1" };
          await onEvent({ type: "TOOL_CALL_START", ...call, toolCallName: "pay" });
          await onEvent({ type: "TOOL_CALL_ARGS", ...call, delta: '{"amount":5}' });
          await onEvent({ type: "TOOL_CALL_END", ...call });
          return ended({ type: "interrupt", interrupts: [{ id: "i1", reason: "tool_call", ...call }] });
        }
        if (resume[0]?.payload?.approved === true)
          this.paid.set(threadId, (this.paid.get(threadId) ?? 0) + 1);
        if (random.chance(failing())) return { kind: "broken", error: "ECONNRESET" };
        return ended({ type: "success" });
      },
    };
  }
}
