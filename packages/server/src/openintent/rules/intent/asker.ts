import { mayPlace, type Principal } from "../../../kernel/principal.ts";
import type { Intent } from "./intent.ts";

/** Who asks when the server places a hold for a caller: the caller, or the intent's creator if that caller may not place holds. */
export function askerOf({ createdBy }: Intent, by: Principal): Principal {
  return mayPlace(by) ? by : { role: "agent", via: "key", id: "plan", name: createdBy };
}
