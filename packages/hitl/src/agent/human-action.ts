/**
 * A person's tap, as the only thing that can be submitted. There is no way to answer with an action alone: somebody must
 * be named who did it, on a platform that told us so.
 */

import { isPlatform, SUBMIT_CHANNEL_OF } from "@holdpoint/protocol/hitl/words";
import type { JsonObject } from "@holdpoint/protocol/rules";

export interface HumanAction {
  readonly kind: "human_action";
  readonly action: string;
  readonly data: JsonObject;
  /** The kind of button, such as `telegram_inline_button`. */
  readonly via: string;
  readonly by: {
    readonly platform: string;
    readonly platformUserId: string;
    readonly displayName?: string;
  };
}

export interface Tap {
  readonly action: string;
  /** One of the five platforms, or one of your own that starts with `x-`. */
  readonly platform: string;
  readonly platformUserId: string;
  readonly displayName?: string | undefined;
  /** For platforms of your own; the five known ones have theirs. */
  readonly via?: string;
  readonly data?: JsonObject;
}

/** Says that a person did this. Call it where their tap arrives, with what the platform says about them. */
export function humanAction(tap: Tap): HumanAction {
  const { platform, platformUserId, displayName } = tap;
  return {
    kind: "human_action",
    action: tap.action,
    data: tap.data ?? {},
    via: tap.via ?? (isPlatform(platform) ? SUBMIT_CHANNEL_OF[platform] : platform),
    by: { platform, platformUserId, ...(displayName === undefined ? {} : { displayName }) },
  };
}

/** Whether somebody is named; checked at run time too, because a model may call this from untyped code. */
export function isHumanAction(value: unknown): value is HumanAction {
  const tap = value as Partial<HumanAction> | null | undefined;
  return (
    typeof tap === "object" &&
    tap?.kind === "human_action" &&
    typeof tap.action === "string" &&
    tap.action !== "" &&
    typeof tap.via === "string" &&
    typeof tap.by?.platform === "string" &&
    tap.by.platform !== "" &&
    typeof tap.by.platformUserId === "string" &&
    tap.by.platformUserId !== ""
  );
}
