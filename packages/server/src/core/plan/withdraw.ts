/** Nobody is asked any longer whether a plan that is over shall go on. */

import { cancelled } from "../hold/cancel.ts";
import { endHold, settleNeeds } from "../hold/settle.ts";
import { tellEnding } from "../intent/ending.ts";
import { type Intent, openSuspension } from "../intent/intent.ts";
import { openHoldOf } from "../intent/open-hold.ts";
import { bump, type Story, weave } from "../intent/story.ts";
import type { Principal } from "../principal.ts";
import type { Need, World } from "../world.ts";

/** The hold that asks for this plan, while it does. */
function askingHold(intent: Intent | undefined, planId: string): string | undefined {
  const place = intent?.checkpoint;
  if (intent === undefined || place === undefined || place.planId !== planId) return undefined;
  return openSuspension(intent)?.holdId === place.holdId ? place.holdId : undefined;
}

export function withdrawNeeds(intent: Intent | undefined, planId: string, world: World): readonly Need[] {
  const holdId = askingHold(intent, planId);
  if (holdId === undefined) return [];
  const hold = world.get("hold", holdId);
  return [{ kind: "hold", id: holdId }, ...(hold === undefined ? [] : settleNeeds(hold, world))];
}

export function withdrawQuestion(story: Story, planId: string, by: Principal): Story {
  if (askingHold(story.intent, planId) === undefined) return story;
  const { hold } = openHoldOf(story.intent, story.world);
  const outcome = cancelled({ by, reason: "the plan is over" }, story.at);
  const ended = endHold(hold, outcome, story.world, by);
  return tellEnding(weave(bump(story), ended), hold, outcome);
}
