/** Cancels a case, by a caller with its link or by the agent that asked. A cancelled case is not decided (G5). */

import { refusedCase } from "../errors.ts";
import type { Routes } from "../operations.ts";
import { statusOf } from "./poll.ts";

export const cancel = {
  async cancelCase({ authority, by, workspace, body: { reason } }, deps) {
    const { hold } = authority;
    const result = await deps.engine.run({
      kind: "cancel_hold",
      workspace,
      by,
      holdId: hold.id,
      ...(authority.kind === "link" ? { linkHash: authority.link.hash } : {}),
      ...(reason === undefined ? {} : { reason }),
    });
    if (!result.ok) throw refusedCase(result.failure, result.hold, deps.publicUrl);
    const body = statusOf(result.entity, by, deps);
    return { status: 200, body };
  },
} satisfies Routes;
