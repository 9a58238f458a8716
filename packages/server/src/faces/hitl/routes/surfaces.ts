/** The case as a review surface. Its token is the reader's own, so that the surface can do what that reader can. */

import { surfaceProfile } from "@holdpoint/protocol/hitl";
import { caseIdOf } from "@holdpoint/protocol/hitl/case";
import { isCallUnknown } from "@holdpoint/protocol/rules";
import { PAGE_ONLY } from "../../../kernel/hold/inline.ts";
import { caseFailure } from "../errors.ts";
import type { Routes } from "../operations.ts";

export const surfaces = {
  readSurfaces({ authority }, { publicUrl }) {
    const { hold, token } = authority;
    const { ask, face, decision } = hold.body;
    if (ask === null) throw caseFailure("not_found", "the case is no longer kept");
    const caseId = caseIdOf(hold.id);
    const query = `?token=${token}`;
    const body = surfaceProfile(ask, {
      caseId,
      reviewUrl: `${publicUrl}/review/${caseId}${query}`,
      respondUrl: `${publicUrl}/reviews/${caseId}/respond${query}`,
      // A button elsewhere neither proves who pressed it nor shows more than the surface: such cases are answered on the page.
      answersInline:
        face?.["risk"] !== PAGE_ONLY.risk &&
        face?.["verification"] === undefined &&
        decision === undefined &&
        !isCallUnknown(ask),
    });
    return { status: 200, body, headers: { "cache-control": "private, no-store" } };
  },
} satisfies Routes;
