/** What a person enters besides pressing a button, for each type of ask. */

import {
  type Ask,
  isCallUnknown,
  isObject,
  type JsonObject,
  type Problem,
  sameJson,
} from "@holdpoint/protocol/rules";
import { type ReactNode, useId } from "react";
import { itemsOf, toolCallOf } from "../headless/parts.ts";
import type { AnswerTools } from "./answer-tools.ts";
import { Choices, selectWords } from "./choices.tsx";
import { useHydrated } from "./hooks.ts";
import { Icon } from "./icons.tsx";
import { ArgumentEditor } from "./late-parts.ts";
import { sentence } from "./names.ts";
import { HOW_KNOWN } from "./unknown-call.tsx";
import type { Entered } from "./use-answer.ts";
import { Exact, ValueView } from "./value-view.tsx";

const WORDS = {
  changeArguments: "Change the arguments before approving",
  arguments: "Arguments, as JSON",
  changed: "Changed arguments, as JSON (leave empty to approve as proposed)",
  whatShould: "What should change?",
  why: "Why not?",
  agentReads: "The agent reads this.",
  feedback: "Feedback for the agent, if you ask for changes or reject",
  add: "Add a note",
  confirming: "Confirming lets the agent act at once. Read it again before you do.",
  parametersTry: "Parameters to try again with",
  parameters: "Parameters",
  changedParameters: "Changed parameters, as JSON (only what you change)",
  say: "Say why",
  yourAnswer: "Your answer",
  nothing: "Nothing selected yet",
  choose: (min: string | number) => `Choose at least ${min}.`,
  check: "Check each of these",
};

export interface InputsProps {
  readonly ask: Ask;
  readonly entered: Entered;
  readonly problems: readonly Problem[];
  /** The action whose words are being written, if any. */
  readonly composing: string | undefined;
  readonly onEnter: (change: Partial<Entered>) => void;
  readonly tools: AnswerTools;
}

export function AnswerInputs(props: InputsProps): ReactNode {
  switch (props.ask.type) {
    case "approval":
      return <ApprovalInputs {...props} />;
    case "selection":
      return <SelectionInputs {...props} />;
    case "confirmation":
      return <ConfirmationInputs {...props} />;
    case "escalation":
      return <EscalationInputs {...props} />;
    default:
      return <OpenInputs {...props} />;
  }
}

function problemAt(problems: readonly Problem[], ...names: readonly string[]): string | undefined {
  const found = problems.find(({ key }) => names.some((name) => key === name || key.startsWith(`/${name}`)));
  return found === undefined ? undefined : sentence(found.message);
}

interface WordsProps extends InputsProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly autoFocus?: boolean;
}

function Words({ name, label, hint, entered, problems, onEnter, autoFocus = false }: WordsProps): ReactNode {
  const id = useId();
  const problem = problemAt(problems, name);
  return (
    <div className="hp-field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        name={name}
        rows={3}
        defaultValue={entered.texts[name] ?? ""}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={
          problem !== undefined ? `${id}-problem` : hint === undefined ? undefined : `${id}-hint`
        }
        // biome-ignore lint/a11y/noAutofocus: it appears because its button was pressed.
        autoFocus={autoFocus}
        onInput={(event) => onEnter({ texts: { ...entered.texts, [name]: event.currentTarget.value } })}
      />
      {hint === undefined ? null : (
        <p className="hp-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem === undefined ? null : (
        <p className="hp-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function ApprovalInputs(props: InputsProps): ReactNode {
  const { ask, composing, problems, onEnter } = props;
  const isHydrated = useHydrated();
  const call = toolCallOf(ask);
  const reveal = isHydrated && composing !== undefined;
  return (
    <>
      {isCallUnknown(ask) && !reveal ? <Words {...props} name="note" label={HOW_KNOWN} /> : null}
      {call === undefined || reveal ? null : (
        <details className="hp-more">
          <summary>
            <Icon name="pencil" /> {WORDS.changeArguments}
          </summary>
          {isHydrated ? (
            <ArgumentEditor
              name="edited_args"
              label={WORDS.arguments}
              proposed={call.args}
              problem={problemAt(problems, "edited_args")}
              onChange={(edited) =>
                onEnter({ changed: edited !== null && sameJson(edited, call.args) ? undefined : edited })
              }
            />
          ) : (
            <label>
              {WORDS.changed}
              <textarea name="edited_args" rows={4} spellCheck={false} />
            </label>
          )}
        </details>
      )}
      {reveal ? (
        <Words
          {...props}
          name="feedback"
          label={composing === "edit" ? WORDS.whatShould : WORDS.why}
          hint={WORDS.agentReads}
          autoFocus
        />
      ) : isHydrated ? null : (
        // Pages with script ask for it once it is wanted.
        <div className="hp-noscript">
          <Words {...props} name="feedback" label={WORDS.feedback} />
        </div>
      )}
    </>
  );
}

function SelectionInputs(props: InputsProps): ReactNode {
  const { ask, entered, problems, onEnter } = props;
  const chosen = entered.chosen ?? [];
  const { legend, single } = selectWords(ask);
  const { min = 1 } = ask.select ?? {};
  return (
    <>
      <Choices
        name="selected"
        legend={legend}
        single={single}
        choices={ask.options ?? []}
        chosen={chosen}
        count={chosen.length === 0 ? WORDS.nothing : `${chosen.length} selected`}
        message={
          problemAt(problems, "selected") === undefined
            ? undefined
            : chosen.length < min
              ? WORDS.choose(min)
              : problemAt(problems, "selected")
        }
        onChange={(ids) => onEnter({ chosen: ids })}
      />
      <Note {...props} name="note" label={WORDS.add} />
    </>
  );
}

/** Seldom needed, so a line until it is. */
function Note(props: WordsProps): ReactNode {
  return (
    <details className="hp-more" open={(props.entered.texts[props.name] ?? "") !== "" || undefined}>
      <summary>
        <Icon name="pencil" /> {props.label}
      </summary>
      <Words {...props} />
    </details>
  );
}

function ConfirmationInputs(props: InputsProps): ReactNode {
  const { ask, entered, problems, onEnter } = props;
  const items = itemsOf(ask.context?.["items"]);
  const chosen = entered.chosen ?? [];
  return (
    <>
      <p className="hp-warning">
        <Icon name="warning" />
        <span>{WORDS.confirming}</span>
      </p>
      {items.length === 0 ? null : <input type="hidden" name="confirmed_items" value="" />}
      {items.length === 0 ? null : (
        <Choices
          name="confirmed_items"
          legend={WORDS.check}
          single={false}
          choices={items}
          chosen={chosen}
          count={`${chosen.length} of ${items.length} checked`}
          message={problemAt(problems, "confirmed_items")}
          onChange={(ids) => onEnter({ chosen: ids })}
        />
      )}
      {isCallUnknown(ask) ? (
        <Words {...props} name="note" label={HOW_KNOWN} />
      ) : (
        <Note {...props} name="note" label={WORDS.add} />
      )}
    </>
  );
}

function EscalationInputs(props: InputsProps): ReactNode {
  const { ask, problems, onEnter } = props;
  const isHydrated = useHydrated();
  const params = ask.context?.["params"];
  if (isObject(params ?? null)) ArgumentEditor.expect();
  return (
    <>
      {isObject(params ?? null) ? (
        <section className="hp-card" aria-label={WORDS.parameters}>
          <h2 className="hp-card-title">{WORDS.parameters}</h2>
          <Exact value>
            <ValueView name="params" value={params as JsonObject} />
          </Exact>
        </section>
      ) : null}
      {!isObject(params ?? null) ? null : isHydrated ? (
        <ArgumentEditor
          name="modified_params"
          label={WORDS.parametersTry}
          proposed={params as JsonObject}
          problem={problemAt(problems, "modified_params")}
          onChange={(edited) =>
            onEnter({ changed: edited === null ? null : onlyChanged(params as JsonObject, edited) })
          }
        />
      ) : (
        <div className="hp-field">
          <label>
            {WORDS.changedParameters}
            <textarea name="modified_params" rows={4} spellCheck={false} />
          </label>
        </div>
      )}
      <Note {...props} name="reason" label={WORDS.say} />
    </>
  );
}

function onlyChanged(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const changed = Object.entries(after).filter(([name, value]) => !sameJson(value, before[name]));
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** `input` and types of others, without a form or a schema. */
function OpenInputs(props: InputsProps): ReactNode {
  return props.ask.type === "input" ? <Words {...props} name="value" label={WORDS.yourAnswer} /> : null;
}
