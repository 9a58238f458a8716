/** What this endpoint can do, in the protocol's words; everything said here is so (AG-080 … AG-082). */

import { FILE_BYTES_MAX } from "../../rules/index.ts";
import { INTERRUPT_FORMS } from "../index.ts";

export function capabilitiesOf(
  identity: { readonly name: string; readonly description?: string },
  httpBinary: boolean,
) {
  return {
    identity: { type: "holdpoint", ...identity },
    transport: { streaming: true, httpBinary, resumable: false },
    state: { snapshots: true, deltas: true },
    humanInTheLoop: {
      supported: true,
      approvals: true,
      interventions: true,
      feedback: true,
      interrupts: true,
      approveWithEdits: true,
    },
    custom: { interruptForms: INTERRUPT_FORMS, files: { path: "files", bytesMax: FILE_BYTES_MAX } },
  };
}
