/** Which cells there are. `true`: a person can answer such a hold there; otherwise why not. No hole is left unexplained. */

import type { DoorName } from "./doors.ts";
import type { PlacementName } from "./placements.ts";

const NO_INTENT = "not on an intent";
const NO_RUN = "not of a run";

const EVERYWHERE = {
  "native REST": true,
  "console in a browser": true,
  "review page in a browser": true,
  "HITL inline submit": true,
  "OpenIntent respond": NO_INTENT,
  "AG-UI resume": NO_RUN,
  "command line": true,
  "link from an e-mail": true,
  "button in Telegram": true,
  "button in Slack": true,
  "button in Discord": true,
} as const;

export const REACHABLE: Readonly<Record<PlacementName, Readonly<Record<DoorName, true | string>>>> = {
  "native REST": EVERYWHERE,
  SDK: EVERYWHERE,
  "OpenIntent suspend": { ...EVERYWHERE, "OpenIntent respond": true },
  "native on an intent": { ...EVERYWHERE, "OpenIntent respond": true },
  "HITL case": EVERYWHERE,
  "AG-UI interrupt by handler": { ...EVERYWHERE, "AG-UI resume": true },
  "AG-UI interrupt by proxy": { ...EVERYWHERE, "AG-UI resume": true },
  "gate proposal": EVERYWHERE,
};
