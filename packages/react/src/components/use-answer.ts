/** An answer in the making: what was entered, where it is on its way, and what is wrong with it. */

import type { GrantPost } from "@holdpoint/protocol/gating";
import {
  type Answer,
  type Ask,
  type checkAnswer,
  isGranting,
  isObject,
  type Json,
  type JsonObject,
  type Judge,
  member,
  type Problem,
} from "@holdpoint/protocol/rules";
import { useEffect, useReducer, useRef, useState } from "react";
import { IDLE, nextAnswerState } from "../headless/answer-state.ts";
import type { FormState } from "../headless/form-state.ts";
import { itemsOf } from "../headless/parts.ts";
import type { AnswerTools } from "./answer-tools.ts";

/** An answer, and the similar calls that it allows in advance. */
export interface AnswerSent extends Answer {
  readonly grant?: GrantPost;
}

export type AnswerReply =
  /** The hold has an outcome now, by this answer or another; the component that owns the hold shows it. */
  | { readonly kind: "settled" }
  | { readonly kind: "refused"; readonly problems: readonly Problem[]; readonly notice?: string }
  | { readonly kind: "failed"; readonly message: string };

export interface AnswerStart {
  readonly values?: JsonObject;
  readonly problems?: readonly Problem[];
  readonly step?: number;
}

/** What was entered beside a form: texts, choices, changed arguments, a JSON value. */
export interface Entered {
  readonly texts: Readonly<Record<string, string>>;
  readonly chosen: readonly string[] | undefined;
  /** `null`: what is written cannot be read yet. */
  readonly changed: JsonObject | null | undefined;
  readonly value: Json | undefined;
}

const TEXTS = ["feedback", "note", "reason", "value"] as const;

export function useAnswer(
  ask: Ask,
  judge: Judge,
  start: AnswerStart,
  send: (answer: AnswerSent) => Promise<AnswerReply>,
  tools: AnswerTools,
  found?: JsonObject,
) {
  const { forms } = tools;
  const check = useCheck();
  const [state, tell] = useReducer(nextAnswerState, IDLE);
  const [form, setForm] = useState<FormState>(() => forms?.startForm(ask.form ?? {}, start) ?? NO_FORM);
  const [entered, setEntered] = useState<Entered>(() => enteredFrom(ask, start.values ?? {}, tools));
  const [wrong, setWrong] = useState<readonly Problem[]>(start.problems ?? []);

  const { form: asked } = ask;
  useEffect(() => {
    if (found !== undefined && asked !== undefined) setForm((now) => forms?.fillIn(asked, now, found) ?? now);
  }, [found, asked, forms]);

  async function deliver(answer: AnswerSent): Promise<void> {
    const reply = await send(answer).catch(
      (): AnswerReply => ({ kind: "failed", message: "There is no connection to the server." }),
    );
    if (reply.kind === "settled") return;
    if (reply.kind === "failed") {
      tell({ kind: "fail", message: reply.message });
      return;
    }
    const { problems, notice } = reply;
    setWrong(problems);
    if (forms !== undefined) {
      setForm((now) => ({ ...forms.showProblems(ask.form ?? {}, now, problems), refused: problems }));
    }
    tell({ kind: "refuse", problems, ...(notice === undefined ? {} : { notice }) });
  }

  /** Problems found here; none: it is on its way. */
  function submit(action: string, grant?: GrantPost): readonly Problem[] {
    if (state.kind === "sending") return [];
    const data = dataOf(ask, action, entered, form.values, tools);
    const found = data === null ? [UNREADABLE] : problemsIn(ask, { action, data }, judge, check());
    setWrong(found);
    if (forms !== undefined && found.length > 0)
      setForm((now) => forms.showProblems(ask.form ?? {}, now, found));
    if (data === null || found.length > 0) return found;
    const isGranted = grant !== undefined && isGranting(ask, action);
    const answer = isGranted ? { action, data, grant } : { action, data };
    tell({ kind: "send", answer });
    void deliver(answer);
    return [];
  }

  function retry(): void {
    if (state.kind !== "failed") return;
    tell({ kind: "retry" });
    void deliver(state.answer);
  }

  return { state, tell, form, setForm, entered, setEntered, wrong, submit, retry };
}

const UNREADABLE: Problem = { key: "/edited_args", rule: "json", message: "must be a JSON object" };

const NO_FORM: FormState = { values: {}, touched: new Set(), step: 0, refused: [] };

/** The rules come after the page. Until they are here, and if they never come, the server alone judges. */
function useCheck(): () => typeof checkAnswer | undefined {
  const loaded = useRef<typeof checkAnswer>(undefined);
  useEffect(() => {
    void import("../headless/checks.ts").then(
      (checks) => {
        loaded.current = checks.checkAnswer;
      },
      () => undefined,
    );
  }, []);
  return () => loaded.current;
}

function problemsIn(
  ask: Ask,
  answer: Answer,
  judge: Judge,
  check: typeof checkAnswer | undefined,
): readonly Problem[] {
  const checked = check?.(ask, answer, judge);
  return checked === undefined || checked.ok ? [] : checked.problems;
}

function enteredFrom(ask: Ask, values: JsonObject, { schemas }: AnswerTools): Entered {
  const texts = TEXTS.flatMap((name): [string, string][] => {
    const value = member(values, name);
    return typeof value === "string" ? [[name, value]] : [];
  });
  const chosen = member(values, ask.type === "selection" ? "selected" : "confirmed_items");
  const schema = ask.form === undefined ? ask.responseSchema : undefined;
  const begun = Object.keys(values).length === 0 ? undefined : values;
  return {
    texts: Object.fromEntries(texts),
    chosen: Array.isArray(chosen) ? chosen.map(String) : undefined,
    changed: undefined,
    value: schema === undefined ? undefined : (begun ?? schemas?.initialValue(schemas.schemaNode(schema))),
  };
}

/** What is sent; `null` when something written cannot be read. */
function dataOf(
  ask: Ask,
  action: string,
  entered: Entered,
  values: JsonObject,
  tools: AnswerTools,
): JsonObject | null {
  const { texts, chosen, changed, value } = entered;
  const said = (...names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => (texts[name] === undefined || texts[name] === "" ? [] : [[name, texts[name]]])),
    );
  switch (ask.type) {
    case "approval":
      if (action !== "approve" || changed === undefined) return said("feedback", "note");
      return changed === null ? null : { ...said("feedback", "note"), edited_args: changed };
    case "selection":
      return { ...said("note"), selected: chosen ?? [] };
    case "confirmation":
      return {
        ...said("note"),
        ...(chosen !== undefined || (isGranting(ask, action) && hasBoxes(ask))
          ? { confirmed_items: chosen ?? [] }
          : {}),
      };
    case "escalation":
      if (changed === null) return null;
      return { ...said("reason", "note"), ...(changed === undefined ? {} : { modified_params: changed }) };
    default:
      return inputData(ask, action, { value, values, said: said("value") }, tools);
  }
}

/** "0 of 2 checked" is an answer about the items; without boxes nothing is said about them (G14). */
function hasBoxes({ context }: Ask): boolean {
  return itemsOf(context?.["items"]).length > 0;
}

function inputData(
  ask: Ask,
  action: string,
  given: { readonly value: Json | undefined; readonly values: JsonObject; readonly said: JsonObject },
  { forms, schemas }: AnswerTools,
): JsonObject {
  const { value, values, said } = given;
  // A person who declines need not fill in anything.
  if (!isGranting(ask, action)) return {};
  if (ask.form !== undefined && forms !== undefined) return forms.formData(ask.form, values);
  if (ask.responseSchema === undefined || schemas === undefined) return said;
  if (schemas.asksForValue(ask.responseSchema)) return value === undefined ? {} : { value };
  return isObject(value ?? null) ? (value as JsonObject) : {};
}
