/** State that agents and apps store about their conversations. */

import { forgetThread, getThread, keepThread } from "../calls/threads.ts";
import type { Routes } from "../operations.ts";

export const threads = {
  async keepThread(call, deps) {
    return { status: 200, body: await keepThread(call, call.params.id, call.body, deps) };
  },

  async getThread(call, deps) {
    return { status: 200, body: await getThread(call, call.params.id, deps) };
  },

  async forgetThread(call, deps) {
    return { status: 200, body: await forgetThread(call, call.params.id, deps) };
  },
} satisfies Routes;
