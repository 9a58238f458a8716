/** Replies as the wire has them. */

import { type Code, docsUrl, ERROR_CODES, type HoldOut, type PlaceIn } from "../../index.ts";
import { actionsOf } from "../../rules/index.ts";

export type Placed = PlaceIn;

export function holdOut(id: string, place: Placed, key: string): HoldOut {
  const { type, prompt, context, response_schema, metadata } = place;
  return {
    id,
    case_id: id.replace("hold", "review"),
    key,
    status: "open",
    type,
    prompt,
    ...(context === undefined ? {} : { context }),
    ...(response_schema === undefined ? {} : { response_schema }),
    ...(metadata === undefined ? {} : { metadata }),
    actions: actionsOf({ type }).map((action) => ({ ...action, label: action.label ?? action.id })),
    digest: `digest of ${id}`,
    created_by: "agent",
    created_at: "2026-03-01T09:00:00.000Z",
    attempt: 1,
    ladder: [],
    version: 1,
    links: "agent",
  };
}

export function errorOut(status: number, code: Code, more: object = {}): object {
  return { type: docsUrl(code), title: ERROR_CODES[code].title, status, code, ...more };
}
