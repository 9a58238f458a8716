/** Groups of holds. */

import { answerGroup, getGroup, placeGroup } from "../calls/groups.ts";
import type { Routes } from "../operations.ts";

export const groups = {
  async placeGroup(call, deps) {
    const { group, isNew } = await placeGroup(call, call.body, deps);
    return { status: isNew ? 201 : 200, body: group };
  },

  async getGroup(call, deps) {
    const wait = { seconds: call.query.wait, gone: () => call.gone() };
    return { status: 200, body: await getGroup(call, call.params.id, wait, deps) };
  },

  async answerGroup(call, deps) {
    const door = call.header("x-holdpoint-door");
    return { status: 200, body: await answerGroup(call, call.params.id, call.body, door, deps) };
  },
} satisfies Routes;
