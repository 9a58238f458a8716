/** Work that continued without a person: agents and apps record it, operators see it. */

import { seesAll } from "../../../kernel/principal.ts";
import { fail } from "../../http/failure.ts";
import { pageOf } from "../calls/page.ts";
import { presentSkip, recordSkip } from "../calls/skips.ts";
import type { Routes } from "../operations.ts";

export const skips = {
  async recordSkip(call, deps) {
    return { status: 201, body: await recordSkip(call, call.body, deps) };
  },

  async listSkips({ workspace, by, query }, deps) {
    if (!seesAll(by))
      throw fail("not_allowed", "Only people see skips. Use an operator, admin or auditor key.");
    const { page, next } = await pageOf("skip", workspace, query, deps);
    return { status: 200, body: { skips: page.map(presentSkip), ...next } };
  },
} satisfies Routes;
