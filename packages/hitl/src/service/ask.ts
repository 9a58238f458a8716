/** What an author asks a person, and how it becomes a hold. */

import type { OpenIn, Place } from "@holdpoint/protocol/client";
import { defined } from "@holdpoint/protocol/client";
import type { DefaultAction } from "@holdpoint/protocol/hitl/words";
import {
  type Action,
  type AskType,
  actionsOf,
  type Form,
  type JsonObject,
  type Option,
  type SelectRange,
} from "@holdpoint/protocol/rules";
import { sha256Hex } from "../sha256-hex.ts";
import { type Declared, timeoutMs } from "./declaration.ts";

export interface ServiceAsk {
  readonly type: AskType;
  /** What the person decides; agents see the first 500 characters, the page shows all of it. */
  readonly prompt: string;
  /** What the agent tells its user; the prompt unless said otherwise. */
  readonly message?: string;
  /** What the page shows beside the prompt. Agents see it too, so nothing personal belongs here. */
  readonly context?: OpenIn;
  readonly options?: readonly Option[];
  readonly select?: SelectRange;
  readonly form?: Form;
  /** For types of your own (`x-…`): the buttons. */
  readonly actions?: readonly Action[];
  readonly timeout?: string;
  /** What the agent does when nobody answers; `skip` unless said otherwise. */
  readonly defaultAction?: DefaultAction;
  /** When to remind: moments, or durations from now. */
  readonly remindAt?: readonly string[];
  /** Offers buttons in the chat: `true` for what the type allows, or these actions only. */
  readonly inline?: boolean | readonly string[];
  /** `high` keeps the answer on the page, whatever `inline` says. */
  readonly risk?: "normal" | "high";
  /** The same key of the same agent finds the same case. The header `Idempotency-Key` does as well. */
  readonly key?: string;
  /** The case this one follows; the request's `previous_case_id` unless said otherwise. */
  readonly previousCaseId?: string;
  /** The request's body, where somebody has read it already. */
  readonly body?: JsonObject;
  /** Members of your own beside `hitl`. */
  readonly data?: JsonObject;
}

/** Which types can be answered without seeing the page, and which of their actions. Changes are described on the page. */
const INLINE_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  approval: ["approve", "reject"],
  confirmation: ["confirm", "cancel"],
  escalation: ["retry", "skip", "abort"],
};

/** The actions offered inline; none where the case does not offer any. */
export function inlineActions(ask: ServiceAsk): readonly string[] {
  const { inline = false } = ask;
  if (inline === false || ask.risk === "high") return [];
  const allowed = INLINE_ACTIONS[ask.type] ?? [];
  if (inline === true) return allowed;
  const odd = inline.find((action) => !allowed.includes(action));
  if (odd !== undefined)
    throw new RangeError(
      `The action ${odd} of type ${ask.type} cannot be answered inline. Take it out of \`inline\`.`,
    );
  return inline;
}

/**
 * The key under which Holdpoint knows an agent's case; list holds by it to find the case again. Agents choose their keys
 * without knowing of each other, and both names may hold anything: only a digest keeps them apart.
 */
export async function caseKey(agent: string, key: string): Promise<string> {
  return `hitl-${await sha256Hex(JSON.stringify([agent, key]))}`;
}

export interface Asker {
  readonly agent: string;
  /** As `caseKey` gives it. */
  readonly key?: string | undefined;
  readonly previous?: string | undefined;
}

/** Where a case remembers which agent it belongs to: the service itself keeps nothing. */
export function ownerOf(metadata: JsonObject | undefined): string | undefined {
  const agent = metadata?.["hitl_agent"];
  return typeof agent === "string" ? agent : undefined;
}

export function placeOf(declared: Declared, ask: ServiceAsk, asker: Asker): Place {
  if (!declared.types.includes(ask.type))
    throw new RangeError(
      `The type ${ask.type} is not among the declared types. Add it to \`types\` of the service.`,
    );
  if (declared.inline !== true && inlineActions(ask).length > 0)
    throw new RangeError("Inline answers are not declared. Set `inline: true` for the service.");
  if (actionsOf(ask).length === 0) throw new RangeError("A review needs at least one action.");
  const timeout = ask.timeout ?? declared.defaultTimeout;
  timeoutMs(timeout);
  return defined({
    key: asker.key,
    type: ask.type,
    prompt: ask.prompt,
    context: ask.context,
    options: ask.options,
    select: ask.select,
    form: ask.form,
    actions: ask.actions,
    timeout,
    onTimeout: ask.defaultAction ?? "skip",
    remindAt: ask.remindAt,
    links: "agent" as const,
    hitlCase: true,
    previous: asker.previous,
    metadata: { hitl_agent: asker.agent },
  });
}
