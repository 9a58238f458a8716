/** A form, or a wizard of steps. Without script all steps stand below each other and the same names are posted. */

import {
  type Field,
  type Form,
  isGiven,
  type Json,
  type JsonObject,
  member,
  visibleFields,
} from "@holdpoint/protocol/rules";
import type { ReactNode } from "react";
import type { FormState } from "../headless/form-state.ts";
import { FieldView } from "./field-view.tsx";
import { useHydrated } from "./hooks.ts";
import { Text } from "./text.tsx";
import { ValueView } from "./value-view.tsx";

const WORDS = {
  steps: "Steps",
  step: (at: number, all: number, title: string) => `Step ${at} of ${all}: ${title}`,
  unanswered: "not answered",
  hidden: "•••••••• (hidden)",
  only: (field: string | number, compared: string | number, value: string | number) =>
    `Only if “${field}” ${compared} ${value}`,
  yes: "Yes",
  no: "No",
};

interface FormViewProps {
  readonly form: Form;
  readonly state: FormState;
  readonly messages: ReadonlyMap<string, string>;
  readonly onChange: (key: string, value: Json | undefined) => void;
  readonly onLeave: (key: string) => void;
  readonly onStep: (step: number) => void;
}

export function FormView(props: FormViewProps): ReactNode {
  const { form, state } = props;
  const isHydrated = useHydrated();
  if (form.steps === undefined) return <Fields {...props} fields={form.fields ?? []} />;
  return (
    <>
      {isHydrated ? <StepList {...props} /> : null}
      {form.steps.map((step, at) => (
        <fieldset key={step.title} className="hp-step" hidden={isHydrated && at !== state.step}>
          <legend tabIndex={-1} id={`hp-step-${at}`}>
            <Text>{step.title}</Text>
          </legend>
          {step.description === undefined ? null : (
            <p className="hp-lead">
              <Text>{step.description}</Text>
            </p>
          )}
          {step.fields.length === 0 ? (
            isHydrated ? (
              <Summary form={form} values={state.values} />
            ) : null
          ) : (
            <Fields {...props} fields={step.fields} />
          )}
        </fieldset>
      ))}
    </>
  );
}

function Fields({
  form,
  fields,
  state,
  messages,
  onChange,
  onLeave,
}: FormViewProps & { readonly fields: readonly Field[] }): ReactNode {
  const isHydrated = useHydrated();
  const visible = new Set(visibleFields(form, state.values));
  return fields.map((field) => {
    // Without script nobody can hide it, so it says itself when it counts.
    if (isHydrated && !visible.has(field)) return null;
    return (
      <div key={field.key} className="hp-field-slot">
        <FieldView
          field={field}
          value={member(state.values, field.key)}
          message={messages.get(field.key)}
          onChange={(value) => onChange(field.key, value)}
          onLeave={() => onLeave(field.key)}
        />
        {isHydrated || field.conditional === undefined ? null : (
          <p className="hp-hint">{conditionWords(form, field)}</p>
        )}
      </div>
    );
  });
}

const OPERATORS = {
  eq: "is",
  neq: "is not",
  in: "is one of",
  gt: "is more than",
  lt: "is less than",
} as const;

function conditionWords(form: Form, { conditional }: Field): string {
  if (conditional === undefined) return "";
  const all = form.fields ?? form.steps?.flatMap((step) => step.fields) ?? [];
  const other = all.find(({ key }) => key === conditional.field);
  const value = Array.isArray(conditional.value) ? conditional.value.join(", ") : String(conditional.value);
  return WORDS.only(other?.label ?? conditional.field, OPERATORS[conditional.operator], value);
}

function StepList({ form, state, onStep }: FormViewProps): ReactNode {
  const steps = form.steps ?? [];
  return (
    <nav aria-label={WORDS.steps}>
      <ol className="hp-steps">
        {steps.map((step, at) => (
          <li
            key={step.title}
            aria-current={at === state.step ? "step" : undefined}
            className={at < state.step ? "hp-done" : undefined}
          >
            {at < state.step ? (
              <button type="button" className="hp-quiet" onClick={() => onStep(at)}>
                <Text>{step.title}</Text>
              </button>
            ) : (
              <span>
                <Text>{step.title}</Text>
              </span>
            )}
          </li>
        ))}
      </ol>
      <p className="hp-unseen" role="status">
        {WORDS.step(state.step + 1, steps.length, steps[state.step]?.title ?? "")}
      </p>
    </nav>
  );
}

/** Everything that will be sent; secrets only as given. */
function Summary({ form, values }: { readonly form: Form; readonly values: JsonObject }): ReactNode {
  return (
    <dl className="hp-facts hp-summary">
      {visibleFields(form, values).map((field) => (
        <div key={field.key}>
          <dt>
            <Text>{field.label}</Text>
          </dt>
          <dd>
            <Given field={field} value={member(values, field.key)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Given({ field, value }: { readonly field: Field; readonly value: Json | undefined }): ReactNode {
  if (field.type === "boolean") return value === true ? WORDS.yes : WORDS.no;
  if (!isGiven(value)) return <span className="hp-none">{WORDS.unanswered}</span>;
  if (field.sensitive === true) return <span>{WORDS.hidden}</span>;
  const labels = new Map((field.options ?? []).map((option) => [option.value, option.label]));
  const named = Array.isArray(value)
    ? value.map((each: Json) => labels.get(String(each)) ?? each)
    : (labels.get(String(value)) ?? value);
  return <ValueView name="" value={named} />;
}
