/** The union of all facts in the OpenIntent domain. */

import type { CoordinatorFact } from "./coordinator/facts.ts";
import type { StatusCountFact } from "./graph/status-counts.ts";
import type { IntentFact, SubscriptionFact } from "./intent/facts.ts";
import type { PortfolioFact } from "./portfolio/facts.ts";

export type OpenIntentFact =
  | IntentFact
  | SubscriptionFact
  | StatusCountFact
  | PortfolioFact
  | CoordinatorFact;
