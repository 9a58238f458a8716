/** The kernel's own kinds, bodies and facts. Types only; each folder declares its own table. */

import type { ACCESS_KINDS } from "./access/domain.ts";
import type { AccessFact } from "./access/facts.ts";
import type { BrowserTokenFact } from "./browser-token/decide.ts";
import type { BROWSER_TOKEN_KINDS } from "./browser-token/domain.ts";
import type { CHAT_KINDS } from "./chat/domain.ts";
import type { ChatFact } from "./chat/facts.ts";
import type { BodiesOf } from "./domain.ts";
import type { GATING_KINDS } from "./gating/domain.ts";
import type { GatingFact } from "./gating/facts.ts";
import type { HOLD_KINDS } from "./hold/domain.ts";
import type { HoldFact } from "./hold/facts.ts";
import type { GroupFact } from "./hold/group-facts.ts";
import type { PASSKEY_KINDS } from "./passkey/domain.ts";
import type { PasskeyFact } from "./passkey/facts.ts";
import type { PEOPLE_KINDS } from "./people/domain.ts";
import type { PeopleFact } from "./people/facts.ts";
import type { PushFact } from "./push/decide.ts";
import type { PUSH_KINDS } from "./push/domain.ts";
import type { ServerFact } from "./server/decide.ts";
import type { SERVER_KINDS } from "./server/domain.ts";
import type { SKIP_KINDS } from "./skip/domain.ts";
import type { SkipFact } from "./skip/skip.ts";
import type { THREAD_KINDS } from "./thread/domain.ts";
import type { ThreadFact } from "./thread/thread.ts";

export type KernelBodies = BodiesOf<
  typeof HOLD_KINDS &
    typeof ACCESS_KINDS &
    typeof PEOPLE_KINDS &
    typeof PASSKEY_KINDS &
    typeof PUSH_KINDS &
    typeof SERVER_KINDS &
    typeof THREAD_KINDS &
    typeof SKIP_KINDS &
    typeof GATING_KINDS &
    typeof BROWSER_TOKEN_KINDS &
    typeof CHAT_KINDS
>;

export type KernelFact =
  | HoldFact
  | GroupFact
  | AccessFact
  | PeopleFact
  | PasskeyFact
  | PushFact
  | ServerFact
  | ThreadFact
  | SkipFact
  | GatingFact
  | BrowserTokenFact
  | ChatFact;
