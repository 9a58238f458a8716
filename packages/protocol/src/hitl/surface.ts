/**
 * Review surfaces: a case as a tree of components that a client may show inside its own page (profile
 * `hitl-surface-interop/v0.1`). The review page stays the authority: a client that does not know the format, or cannot use
 * the payload, opens it instead.
 */

import * as z from "zod";
import { type Ask, isObject, type Json, type JsonObject, shownActions } from "../rules/index.ts";
import { SafeUrl } from "./values.ts";

export const SURFACE_PROFILE = "hitl-surface-interop/v0.1";
export const SURFACE_FORMAT = "json-render";
const JSON_RENDER_VERSION = "0.12";
/** The action of a surface that gives the answer: it posts `{action, data}` to the respond address (HP-210). */
export const SUBMIT_REVIEW = "submitReview";

const Surface = z.strictObject({
  id: z.string(),
  format: z.string(),
  version: z.string(),
  catalog_id: z.string().exactOptional(),
  fallback_review_url: SafeUrl,
  payload: z.custom<Json>((value) => value !== undefined, "Invalid input: expected a value"),
});
export type Surface = z.infer<typeof Surface>;

export const SurfaceProfile = z.strictObject({
  profile: z.literal(SURFACE_PROFILE),
  case_id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  surfaces: z.array(Surface).min(1),
});
export type SurfaceProfile = z.infer<typeof SurfaceProfile>;

export interface SurfacePlaces {
  readonly caseId: string;
  readonly reviewUrl: string;
  /** Where `submitReview` posts to, with the token of this reader. */
  readonly respondUrl: string;
  /** `false`: the case must be answered on its page, so that the surface only leads there. */
  readonly answersInline?: boolean;
}

type Element = { readonly type: string; readonly props: JsonObject; readonly children: readonly string[] };

/** The surface of a case. What needs a form, a selection or evidence is answered on the page. */
export function surfaceProfile(ask: Ask, places: SurfacePlaces): SurfaceProfile {
  const { caseId, reviewUrl } = places;
  const payload = jsonRender(ask, places);
  const surface = { id: "review", format: SURFACE_FORMAT, version: JSON_RENDER_VERSION };
  return {
    profile: SURFACE_PROFILE,
    case_id: caseId,
    surfaces: [{ ...surface, fallback_review_url: reviewUrl, payload: payload as Json }],
  };
}

const BUTTONS: readonly string[] = ["approval", "confirmation", "escalation"];

function jsonRender(ask: Ask, { reviewUrl, respondUrl, answersInline = true }: SurfacePlaces): JsonObject {
  const actions = answersInline && BUTTONS.includes(ask.type) ? shownActions(ask) : [];
  const buttons = actions.map(({ id, label, style }) => [
    `action-${id}`,
    {
      type: "Button",
      props: { label, variant: style },
      children: [],
      on: { press: { action: SUBMIT_REVIEW, params: { url: respondUrl, action: id, data: {} } } },
    },
  ]);
  const context = ask.context === undefined ? [] : [["context", text(JSON.stringify(ask.context, null, 2))]];
  const link = { type: "Link", props: { label: "Open the review page", href: reviewUrl }, children: [] };
  const parts = [["prompt", text(ask.prompt)], ...context, ...buttons, ["page", link]] as const;
  const names = parts.map(([name]) => name as string);
  const card: Element = { type: "Card", props: { title: "Your decision" }, children: names };
  return { root: "card", elements: { card, ...Object.fromEntries(parts) } } as JsonObject;
}

function text(content: string): Element {
  return { type: "Text", props: { content }, children: [] };
}

export type Shown =
  | { readonly kind: "surface"; readonly surface: Surface }
  | { readonly kind: "page"; readonly url: string };

/**
 * What a client shows of what it received: the first surface whose format it knows and whose payload it can use, otherwise the
 * review page of the `hitl` object.
 */
export function surfaceToShow(
  received: unknown,
  reviewUrl: string,
  usable: Readonly<Record<string, (payload: Json) => boolean>>,
): Shown {
  const page = { kind: "page", url: reviewUrl } as const;
  const read = SurfaceProfile.safeParse(received);
  if (!read.success) return page;
  const found = read.data.surfaces.find(({ format, payload }) =>
    Object.hasOwn(usable, format) ? usable[format]?.(payload) === true : false,
  );
  return found === undefined ? page : { kind: "surface", surface: found };
}

/** Whether a payload is a tree that `json-render` can draw: its root and every child are there. */
export function isJsonRender(payload: Json): boolean {
  if (!isObject(payload)) return false;
  const { root, elements } = payload;
  if (typeof root !== "string" || !isObject(elements) || !Object.hasOwn(elements, root)) return false;
  return Object.values(elements).every((element) => {
    if (!isObject(element) || typeof element["type"] !== "string") return false;
    const children = element["children"] ?? [];
    return Array.isArray(children) && children.every((name) => Object.hasOwn(elements, String(name)));
  });
}
