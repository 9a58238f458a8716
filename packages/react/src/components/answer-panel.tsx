/** The answer to an open hold: inputs and buttons in one real form, which works before and without script. */

import type { Hold } from "@holdpoint/protocol/client";
import type { GrantPost } from "@holdpoint/protocol/gating";
import {
  ACTION_INPUT,
  type Ask,
  actionsOf,
  type Form,
  isGranting,
  type JsonObject,
  type Judge,
  type Problem,
  type ShownAction,
  shownActions,
} from "@holdpoint/protocol/rules";
import { type ReactNode, type SubmitEvent, useEffect, useRef } from "react";
import { wantsWords } from "../headless/answer-state.ts";
import type { AnswerTools } from "./answer-tools.ts";
import { useHydrated } from "./hooks.ts";
import { Icon, type IconName } from "./icons.tsx";
import { FormPanel, GrantTerms, PlainPanel, SchemaPanel, SimilarCalls } from "./late-parts.ts";
import { fieldId, schemaId } from "./names.ts";
import { Text } from "./text.tsx";
import { type AnswerReply, type AnswerSent, type AnswerStart, useAnswer } from "./use-answer.ts";

const WORDS = {
  yourAnswer: "Your answer",
  nothing: (message: string | number) => `${message} Nothing is lost; sending it again is safe.`,
  yourAnswerHas: "Your answer has not arrived.",
  send: "Send again",
  something: "Something is missing or not right. Nothing was sent yet.",
  back: "Back",
  next: "Next",
  sending: "Sending …",
  approve: "Approve with my changes",
};

export interface PanelProps {
  readonly hold: Hold;
  readonly ask: Ask;
  readonly judge: Judge;
  readonly start?: AnswerStart;
  /** Where the form is posted when there is no script, and what goes with it. */
  readonly post?: { readonly path: string; readonly hidden: Readonly<Record<string, string>> };
  readonly isDisabled?: boolean;
  /** What fields start with, when it is fetched after the page was drawn. */
  readonly found?: JsonObject | undefined;
  readonly onAnswer: (answer: AnswerSent) => Promise<AnswerReply>;
  /** Instead of the buttons while an answer was given and has not left yet: what is true of it, and how to take it back. */
  readonly held?: ReactNode;
  /** Told of every change to a form, to keep it for later; without what is sensitive. */
  readonly onDraft?: (values: JsonObject, step: number) => void;
}

interface ToolProps extends PanelProps {
  readonly tools: AnswerTools;
}

/** The panel without its looks: what pressing and typing does. */
function usePanel({ ask, judge, start = {}, found, onAnswer, onDraft, tools }: ToolProps) {
  const element = useRef<HTMLFormElement>(null);
  const grant = useRef<GrantPost>(undefined);
  /** For this one press only: the usual buttons never send it. */
  const similar = useRef<GrantPost>(undefined);
  const answer = useAnswer(ask, judge, start, onAnswer, tools, found);
  const { state, tell, form, setForm, wrong } = answer;
  const { forms } = tools;
  const asked = forms === undefined ? undefined : ask.form;
  const isLastStep = asked?.steps === undefined || form.step === asked.steps.length - 1;

  useEffect(() => {
    if (wrong.length > 0) focusFirst(element.current, wrong);
  }, [wrong]);

  function change(next: typeof form): void {
    setForm(next);
    if (asked !== undefined) onDraft?.(forms?.draftValues(asked, next.values) ?? {}, next.step + 1);
  }

  function toStep(step: number): void {
    change({ ...form, step });
    requestAnimationFrame(() => document.getElementById(`hp-step-${step}`)?.focus());
  }

  function next(steps: Form, { goOn }: NonNullable<typeof forms>): void {
    const moved = goOn(steps, form, judge);
    if (moved.step !== form.step) {
      toStep(moved.step);
      return;
    }
    change(moved);
    requestAnimationFrame(() => focusInvalid(element.current));
  }

  function onSubmit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const pressed = event.nativeEvent.submitter?.getAttribute("value");
    const action = pressed ?? actionsOf(ask)[0]?.id ?? "";
    if (asked !== undefined && forms !== undefined && !isLastStep) next(asked, forms);
    else if (wantsWords(ask.type, action) && state.kind !== "composing") tell({ kind: "compose", action });
    else answer.submit(action, similar.current ?? grant.current);
    similar.current = undefined;
  }

  function onSimilar(terms: GrantPost): void {
    similar.current = terms;
  }

  function back(): void {
    if (state.kind === "composing") tell({ kind: "back" });
    else toStep(forms?.goBack(form).step ?? 0);
  }

  return { ...answer, element, grant, onSimilar, isLastStep, change, toStep, onSubmit, back };
}

/** Buttons and inputs for the answer to any ask. */
export function AnswerPanel(props: PanelProps): ReactNode {
  const { ask, hold } = props;
  if (isOpenType(ask) && ask.form !== undefined) return <FormPanel key={hold.id} {...props} />;
  if (isOpenType(ask) && ask.responseSchema !== undefined) return <SchemaPanel key={hold.id} {...props} />;
  return <PlainPanel key={hold.id} {...props} />;
}

export function Panel(props: ToolProps): ReactNode {
  const { ask, judge, post, hold, isDisabled = false, held, tools } = props;
  const isHydrated = useHydrated();
  const panel = usePanel(props);
  const { state, form, entered, wrong } = panel;
  const { forms, AnswerInputs } = tools;
  const isSending = state.kind === "sending";
  const isHeld = isSending && held !== undefined;
  return (
    <form
      ref={panel.element}
      className="hp-answer"
      method="post"
      action={post?.path}
      acceptCharset="utf-8"
      encType={tools.wantsFile?.(ask) === true ? "multipart/form-data" : undefined}
      noValidate={isHydrated}
      onSubmit={panel.onSubmit}
      aria-busy={isSending && !isHeld}
    >
      <Hidden values={{ _shown: hold.digest, ...post?.hidden }} />
      <Notices state={state} wrong={wrong} onRetry={panel.retry} />
      <fieldset className="hp-bare" disabled={isDisabled || isSending}>
        <legend className="hp-unseen">{WORDS.yourAnswer}</legend>
        {AnswerInputs === undefined ? null : (
          <AnswerInputs
            ask={ask}
            entered={entered}
            problems={wrong}
            composing={state.kind === "composing" ? state.action : undefined}
            onEnter={(more) => panel.setEntered((now) => ({ ...now, ...more }))}
            tools={tools}
          />
        )}
        {ask.form === undefined || forms === undefined ? null : (
          <forms.FormView
            form={ask.form}
            state={form}
            messages={forms.messages(ask.form, form, judge)}
            onChange={(key, value) => panel.change(forms.setValue(form, key, value))}
            onLeave={(key) => panel.setForm((now) => forms.touch(now, key))}
            onStep={panel.toStep}
          />
        )}
        {hold.grantable === true ? (
          <GrantTerms
            hold={hold}
            onChange={(terms) => {
              panel.grant.current = terms;
            }}
          />
        ) : null}
        {isHeld ? null : (
          <Actions
            ask={ask}
            state={state}
            changes={entered.changed === undefined || entered.changed === null ? 0 : 1}
            isFirstStep={!isHydrated || form.step === 0}
            isLastStep={!isHydrated || panel.isLastStep}
            onBack={panel.back}
          />
        )}
        {hold.grantable === true && state.kind !== "composing" && !isHeld ? (
          <SimilarCalls hold={hold} onPress={panel.onSimilar} />
        ) : null}
      </fieldset>
      {isHeld ? held : null}
    </form>
  );
}

function Hidden({ values }: { readonly values: Readonly<Record<string, string>> }): ReactNode {
  return Object.entries(values).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}

function isOpenType({ type }: Ask): boolean {
  return type === "input" || type.startsWith("x-");
}

function focusFirst(form: HTMLFormElement | null, problems: readonly Problem[]): void {
  const places = problems.flatMap(({ key }) => [
    fieldId(key),
    `hp-${key.split("/")[1] ?? key}`,
    schemaId(key.replace(/^\/value(?=\/|$)/, "")),
  ]);
  const found = places.map((id) => document.getElementById(id)).find((each) => each !== null);
  if (found === undefined || found === null) focusInvalid(form);
  else found.focus();
}

function focusInvalid(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
}

type State = ReturnType<typeof useAnswer>["state"];

interface NoticesProps {
  readonly state: State;
  readonly wrong: readonly Problem[];
  readonly onRetry: () => void;
}

function Notices({ state, wrong, onRetry }: NoticesProps): ReactNode {
  if (state.kind === "failed") {
    return (
      <div className="hp-notice hp-bad" role="alert">
        <p>
          <strong>{WORDS.yourAnswerHas}</strong> {WORDS.nothing(state.message)}
        </p>
        <button type="button" className="hp-button" onClick={onRetry}>
          {WORDS.send}
        </button>
      </div>
    );
  }
  if (state.kind === "refused" && state.notice !== undefined) {
    return (
      <p className="hp-notice" role="alert">
        {state.notice}
      </p>
    );
  }
  if (wrong.length === 0) return null;
  return (
    <p className="hp-notice hp-bad" role="alert">
      {WORDS.something}
    </p>
  );
}

interface ActionsProps {
  readonly ask: Ask;
  readonly state: State;
  readonly changes: number;
  readonly isFirstStep: boolean;
  readonly isLastStep: boolean;
  readonly onBack: () => void;
}

const ICONS: Readonly<Record<string, IconName>> = {
  approve: "check",
  confirm: "check",
  reject: "cross",
  edit: "pencil",
};

function Actions({ ask, state, changes, isFirstStep, isLastStep, onBack }: ActionsProps): ReactNode {
  if (state.kind === "composing") {
    const action = shownActions(ask).find(({ id }) => id === state.action);
    return (
      <div className="hp-actions hp-pair">
        {action === undefined ? null : <ActionButton ask={ask} action={action} state={state} />}
        <button type="button" className="hp-button" onClick={onBack}>
          {WORDS.back}
        </button>
      </div>
    );
  }
  const back = isFirstStep ? null : (
    <button type="button" className="hp-button" onClick={onBack}>
      <Icon name="back" /> {WORDS.back}
    </button>
  );
  if (!isLastStep) {
    return (
      <div className="hp-actions">
        <button type="submit" className="hp-button hp-primary">
          {WORDS.next} <Icon name="arrow" />
        </button>
        {back}
      </div>
    );
  }
  return (
    <div className="hp-actions">
      {shownActions(ask).map((action) => (
        <ActionButton
          key={action.id}
          ask={ask}
          state={state}
          action={action.id === "approve" && changes > 0 ? { ...action, label: WORDS.approve } : action}
        />
      ))}
      {back}
    </div>
  );
}

function ActionButton({
  ask,
  action,
  state,
}: {
  readonly ask: Ask;
  readonly action: ShownAction;
  readonly state: State;
}): ReactNode {
  const isOnItsWay = state.kind === "sending" && state.answer.action === action.id;
  const icon = ICONS[action.id];
  return (
    <button
      type="submit"
      name={ACTION_INPUT}
      value={action.id}
      className={`hp-button hp-${action.style}`}
      formNoValidate={!isGranting(ask, action.id)}
    >
      {icon === undefined ? null : <Icon name={icon} />}
      {isOnItsWay ? WORDS.sending : <Text>{action.label}</Text>}
    </button>
  );
}
