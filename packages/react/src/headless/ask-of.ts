/** What is asked, taken out of a hold as programs see it. */

import type { Hold } from "@holdpoint/protocol/client";
import type { Ask } from "@holdpoint/protocol/rules";

/** The ask of a hold, for the panels and parts that show it. */
export function askOf(hold: Hold): Ask {
  const { type, prompt, context, options, select, form, responseSchema, actions, uses } = hold;
  return {
    type,
    prompt,
    actions,
    ...(context === undefined ? {} : { context }),
    ...(options === undefined ? {} : { options }),
    ...(select === undefined ? {} : { select }),
    ...(form === undefined ? {} : { form }),
    ...(responseSchema === undefined ? {} : { responseSchema }),
    ...(uses === undefined ? {} : { uses }),
  };
}
