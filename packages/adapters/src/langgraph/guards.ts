/** Guarded tools of a graph: what people or the server's rules decided about each call, as the tools look it up. */

import { type InterruptAnswer, interruptAnswerOf } from "@holdpoint/protocol/agui";
import type { CheckClient } from "@holdpoint/protocol/client";
import { isObject, type JsonObject, member } from "@holdpoint/protocol/rules";
import type { CallDecision, GuardedTool, ToolCall } from "../tool-calls/call.ts";
import { askAbout, decisionOf, type Ruling, ruledDecision, ruleOn } from "../tool-calls/decide.ts";
import { asJson, readBack } from "../tool-calls/json.ts";
import type { ToolClient } from "../tool-calls/tool-run.ts";
import type { RunStore, SavedState } from "../workflow/store.ts";
import type { Suspension } from "../workflow/workflow.ts";
import type { Part } from "./question.ts";

/** A member of the hold's metadata, so that a later process finds the decisions of a run by its holds. */
const CALL_ID = "tool_call_id";

export class Guards {
  readonly client: ToolClient;
  readonly #key: string;
  readonly #tools: ReadonlyMap<string, GuardedTool>;
  readonly #store: RunStore;

  constructor(key: string, client: ToolClient, tools: ReadonlyMap<string, GuardedTool>, store: RunStore) {
    this.#key = key;
    this.client = client;
    this.#tools = tools;
    this.#store = store;
  }

  /** What people are asked about these parts; nothing for a call that the server's rules have decided. */
  async suspensions(parts: readonly Part[]): Promise<readonly Suspension[]> {
    const rulings = await this.#rulings(parts);
    return parts.flatMap((part): readonly Suspension[] => {
      const ruling = rulings[part.name];
      if (ruling !== undefined)
        return ruling.kind === "hold" ? [{ id: part.name, holdId: ruling.holdId }] : [];
      const guard = part.call === undefined ? undefined : this.#tools.get(part.call.tool);
      if (part.call === undefined || guard === undefined) return [{ id: part.name, ask: part.ask }];
      const { responseSchema, metadata, ...asked } = askAbout(part.call, guard);
      const schema = part.canEdit === true && responseSchema !== undefined ? { responseSchema } : {};
      return [
        { id: part.name, ask: { ...asked, ...schema, metadata: { ...metadata, [CALL_ID]: part.call.id } } },
      ];
    });
  }

  /** Answers of people, and in the same words what the rules have decided without them. */
  async answers(
    parts: readonly Part[],
    given: ReadonlyMap<string, InterruptAnswer>,
  ): Promise<ReadonlyMap<string, InterruptAnswer>> {
    const rulings = await this.#rulings(parts);
    const all = new Map(given);
    for (const { name } of parts) {
      const ruling = rulings[name];
      if (ruling !== undefined && ruling.kind !== "hold") all.set(name, asAnswer(ruling));
    }
    return all;
  }

  async decisions(
    parts: readonly Part[],
    answers: ReadonlyMap<string, InterruptAnswer>,
  ): Promise<ReadonlyMap<string, CallDecision>> {
    const rulings = await this.#rulings(parts);
    const decided = parts.flatMap(({ name, call }) => {
      const answer = answers.get(name);
      const ruling = rulings[name];
      if (call === undefined) return [];
      if (ruling !== undefined && ruling.kind !== "hold")
        return [[call.id, ruledDecision(call, ruling)] as const];
      return answer === undefined ? [] : [[call.id, decisionOf(call, answer, true)] as const];
    });
    return new Map(decided);
  }

  /** For a process that goes on in the middle: everything that was decided about this run's calls. */
  async onRecord(): Promise<ReadonlyMap<string, CallDecision>> {
    const found = new Map<string, CallDecision>();
    for (const [call, ruling] of await this.#ruledCalls()) {
      const decision =
        ruling.kind === "hold" ? await this.#answered(call, ruling.holdId) : ruledDecision(call, ruling);
      if (decision !== undefined) found.set(call.id, decision);
    }
    for (let cursor: string | undefined; ; ) {
      const page = await this.client.list({
        threadId: this.#key,
        ...(cursor === undefined ? {} : { cursor }),
      });
      for (const hold of page.holds) {
        const id = hold.metadata === undefined ? undefined : member(hold.metadata, CALL_ID);
        const args = hold.context?.["arguments"];
        const answer = interruptAnswerOf(hold);
        if (typeof id !== "string" || !isObject(args) || answer === null || found.has(id)) continue;
        found.set(id, decisionOf({ id, tool: String(hold.context?.["tool"]), args }, answer, true));
      }
      cursor = page.nextCursor;
      if (cursor === undefined) return found;
    }
  }

  /** Rulings by the names of their parts. They are saved once made: the same check later may say something else. */
  async #rulings(parts: readonly Part[]): Promise<Readonly<Record<string, Ruling>>> {
    const ruled = parts.filter(
      ({ call }) => call !== undefined && this.#tools.get(call.tool)?.rules === "server",
    );
    if (ruled.length === 0) return {};
    const saved = await this.#store.load(this.#key);
    const { rulings, calls } = ruledIn(saved);
    const open = ruled.filter(({ name }) => !Object.hasOwn(rulings, name));
    if (open.length === 0) return rulings;
    if (this.client.check === undefined)
      throw new TypeError("This hold client cannot check tool calls. Use the client of @holdpoint/sdk.");
    for (const { name, call } of open) {
      if (call === undefined) continue;
      const guard = this.#tools.get(call.tool) ?? {};
      rulings[name] = await ruleOn(this.client as CheckClient, this.#key, call, guard);
      calls[name] = call;
    }
    await this.#store.save(this.#key, asJson({ rulings, calls }) as JsonObject, saved?.version ?? 0);
    return rulings;
  }

  async #ruledCalls() {
    const { rulings, calls } = ruledIn(await this.#store.load(this.#key));
    return Object.entries(rulings).flatMap(([name, ruling]) => {
      const call = calls[name];
      return call === undefined ? [] : [[call, ruling] as const];
    });
  }

  /** Of a hold that the server's rules have placed. */
  async #answered(call: ToolCall, holdId: string): Promise<CallDecision | undefined> {
    const answer = interruptAnswerOf(await this.client.get(holdId));
    return answer === null ? undefined : decisionOf(call, answer, true);
  }
}

/** Both by the names of their parts. */
function ruledIn(saved: SavedState | null) {
  return {
    rulings: { ...readBack<Record<string, Ruling>>(saved?.state["rulings"]) },
    calls: { ...readBack<Record<string, ToolCall>>(saved?.state["calls"]) },
  };
}

function asAnswer(ruling: Exclude<Ruling, { kind: "hold" }>): InterruptAnswer {
  const approved = ruling.kind === "allow";
  const payload = approved ? { approved } : { approved, feedback: ruling.reason };
  const by = { kind: "key", id: "rules" } as const;
  return { status: "resolved", interruptId: "", payload, approved, by, door: "rules" };
}
