/** The world of the AG-UI rules: the kernel's kinds plus the domain's own. */

import type { BodiesOf } from "../../kernel/domain.ts";
import type { Draft as AnyDraft } from "../../kernel/draft.ts";
import type { KernelBodies, KernelFact } from "../../kernel/kernel.ts";
import type { AGUI_KINDS } from "./domain.ts";
import type { ReleaseFact } from "./release/release.ts";

export type AguiBodies = KernelBodies & BodiesOf<typeof AGUI_KINDS>;
export type AguiFact = KernelFact | ReleaseFact;
export type Draft = AnyDraft<AguiBodies, AguiFact>;
