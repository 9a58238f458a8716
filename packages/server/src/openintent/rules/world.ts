/** The world of the OpenIntent rules: the kernel's kinds and facts plus the domain's own. */

import type { BodiesOf } from "../../kernel/domain.ts";
import type { Draft as AnyDraft, FactRecord as AnyRecord } from "../../kernel/draft.ts";
import type { KernelBodies, KernelFact } from "../../kernel/kernel.ts";
import type { Change as AnyChange, World as AnyWorld } from "../../kernel/world.ts";
import type { OPENINTENT_KINDS } from "./domain.ts";
import type { OpenIntentFact } from "./facts.ts";

export type { Need } from "../../kernel/world.ts";

export type OpenIntentBodies = KernelBodies & BodiesOf<typeof OPENINTENT_KINDS>;
export type World = AnyWorld<OpenIntentBodies>;
export type Change = AnyChange<OpenIntentBodies>;
export type Draft = AnyDraft<OpenIntentBodies, KernelFact | OpenIntentFact>;
export type FactRecord = AnyRecord<KernelFact | OpenIntentFact>;
