/** How a button names its case, within the room that its platform gives. The submit token is never part of it. */

import type { Platform } from "@holdpoint/protocol/hitl/words";
import type { Listed } from "../agent/case-book.ts";
import { humanAction } from "../agent/human-action.ts";
import type { ReadTap } from "./messenger.ts";

export interface Reference {
  readonly reference: string;
  readonly action: string;
}

/** The case by its own id where that fits, otherwise by its short one, which the book knows as well. */
export function fittingName(listed: Listed, room: number, write: (name: string) => string): string {
  const own = write(listed.review.caseId);
  return own.length <= room ? own : write(listed.shortId);
}

const COLON = /^hitl:([A-Za-z0-9_-]+):([a-z][a-z0-9-]*)$/;
const UNDERSCORE = /^hitl_([A-Za-z0-9_-]+)_([a-z][a-z0-9-]*)$/;

function read(pattern: RegExp, text: unknown): Reference | undefined {
  const match = typeof text === "string" ? pattern.exec(text) : null;
  return match === null ? undefined : { reference: match[1]!, action: match[2]! };
}

/** `hitl:{case}:{action}` */
export const readColons = (text: unknown): Reference | undefined => read(COLON, text);
/** `hitl_{case}_{action}`; a case id may have underscores of its own, an action has none. */
export const readUnderscores = (text: unknown): Reference | undefined => read(UNDERSCORE, text);

/** A person's action, from what a button said and what the platform says about who tapped it. */
export function tapOf(platform: Platform, read: Reference, userId: string, name: unknown): ReadTap {
  const displayName = typeof name === "string" ? name : undefined;
  const tap = humanAction({ action: read.action, platform, platformUserId: userId, displayName });
  return { reference: read.reference, tap };
}
