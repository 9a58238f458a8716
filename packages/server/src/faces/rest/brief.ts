/** As much of a hold as a line about it needs. */

import type { HoldBrief } from "@holdpoint/protocol";
import { amountIn, toolIn } from "@holdpoint/protocol/rules";
import type { Hold } from "../../kernel/hold/hold.ts";
import { time } from "../http/present.ts";

export function briefOf(hold: Hold): HoldBrief {
  const { ask, key, expiresAt, assignee } = hold;
  const tool = toolIn(ask?.context);
  const amount = amountIn(ask?.context);
  return {
    id: hold.id,
    prompt: ask?.prompt ?? "",
    created_by: hold.createdBy,
    created_at: time(hold.createdAt),
    status: hold.status,
    ...(tool === undefined ? {} : { tool }),
    ...(amount === undefined ? {} : { amount }),
    ...(key === undefined ? {} : { key }),
    ...(expiresAt === undefined ? {} : { expires_at: time(expiresAt) }),
    ...(assignee === undefined ? {} : { assignee }),
  };
}
