/** One field of a form. Inputs keep their own text, so the same markup works before and without script. */

import { boundsOf, FILE_UPLOAD, type Field, type Json, visibleText } from "@holdpoint/protocol/rules";
import { type ReactNode, useState } from "react";
import { valueOfText } from "../headless/form-state.ts";
import { useHydrated } from "./hooks.ts";
import { FileInput } from "./late-parts.ts";
import { fieldId, sentence } from "./names.ts";
import { Text } from "./text.tsx";

const WORDS = {
  optional: "optional",
  hide: "Hide",
  show: "Show",
  reveal: (label: string | number) => `Show ${label}`,
  choose: "Choose …",
  unset: "not set",
  to: (min: string | number, max: string | number) => `${min} to ${max}`,
};

export interface FieldProps {
  readonly field: Field;
  readonly value: Json | undefined;
  readonly message: string | undefined;
  readonly onChange: (value: Json | undefined) => void;
  readonly onLeave: () => void;
}

/** One field of a form, with its label, hint and problem. */
export function FieldView(props: FieldProps): ReactNode {
  const { field, message } = props;
  const id = fieldId(field.key);
  const control = <Control {...props} />;
  const notes = (
    <>
      {field.hint === undefined ? null : (
        <p className="hp-hint" id={`${id}-hint`}>
          <Text>{field.hint}</Text>
        </p>
      )}
      {message === undefined ? null : (
        <p className="hp-problem" id={`${id}-problem`} role="alert">
          {sentence(message)}
        </p>
      )}
    </>
  );
  if (field.type === "multiselect") {
    return (
      <fieldset className="hp-field hp-choices" id={id} tabIndex={-1} aria-describedby={describedBy(props)}>
        <legend>
          <Label field={field} />
        </legend>
        {control}
        {notes}
      </fieldset>
    );
  }
  if (field.type === "boolean") {
    return (
      <div className="hp-field">
        {control}
        {notes}
      </div>
    );
  }
  return (
    <div className="hp-field">
      <label htmlFor={id}>
        <Label field={field} />
      </label>
      {control}
      {notes}
    </div>
  );
}

function Label({ field }: { readonly field: Field }): ReactNode {
  return (
    <>
      <Text>{field.label}</Text>
      {field.required === true ? null : <span className="hp-optional"> {WORDS.optional}</span>}
    </>
  );
}

function describedBy({ field, message }: FieldProps): string | undefined {
  const id = fieldId(field.key);
  const ids = [field.hint === undefined ? "" : `${id}-hint`, message === undefined ? "" : `${id}-problem`];
  return ids.filter((each) => each !== "").join(" ") || undefined;
}

function Control(props: FieldProps): ReactNode {
  switch (props.field.type) {
    case "boolean":
      return <CheckBox {...props} />;
    case "select":
      return <Select {...props} />;
    case "multiselect":
      return <CheckBoxes {...props} />;
    case "range":
      return <Range {...props} />;
    case FILE_UPLOAD:
      return <FileField {...props} />;
    case "textarea":
      return <textarea {...common(props)} rows={5} defaultValue={textOf(props.value)} />;
    default:
      return <Input {...props} />;
  }
}

function FileField(props: FieldProps): ReactNode {
  const { id, name, required } = common(props);
  return (
    <FileInput
      {...{ id, name, required }}
      value={props.value}
      describedBy={describedBy(props)}
      isWrong={props.message !== undefined}
      onChange={props.onChange}
    />
  );
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

type Typed = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function common(props: FieldProps) {
  const { field, message, onChange, onLeave } = props;
  return {
    id: fieldId(field.key),
    name: field.key,
    placeholder: field.placeholder === undefined ? undefined : visibleText(field.placeholder),
    // A field that may not be asked for at all cannot be required by the markup.
    required: field.required === true && field.conditional === undefined,
    "aria-invalid": message === undefined ? undefined : true,
    "aria-describedby": describedBy(props),
    onInput: (event: { readonly currentTarget: Typed }) =>
      onChange(valueOfText(field, event.currentTarget.value)),
    onBlur: onLeave,
  };
}

const TYPES: Readonly<Record<string, string>> = {
  number: "number",
  date: "date",
  email: "email",
  url: "url",
};

function Input(props: FieldProps): ReactNode {
  const { field, value } = props;
  const [isShown, setShown] = useState(false);
  const isHydrated = useHydrated();
  const { min, max } = boundsOf(field);
  const bound = (at: number | undefined) =>
    at === undefined ? undefined : field.type === "date" ? new Date(at).toISOString().slice(0, 10) : at;
  const isSecret = field.sensitive === true;
  const input = (
    <input
      {...common(props)}
      type={isSecret && !isShown ? "password" : (TYPES[field.type] ?? "text")}
      min={bound(min)}
      max={bound(max)}
      step={field.type === "number" ? "any" : undefined}
      autoComplete={isSecret ? "off" : undefined}
      defaultValue={textOf(value)}
    />
  );
  if (!isSecret || !isHydrated) return input;
  return (
    <div className="hp-secret">
      {input}
      <button
        type="button"
        className="hp-quiet"
        aria-pressed={isShown}
        aria-label={WORDS.reveal(field.label)}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? WORDS.hide : WORDS.show}
      </button>
    </div>
  );
}

function CheckBox(props: FieldProps): ReactNode {
  const { field, value, onChange } = props;
  const { placeholder: _, onInput: __, required: ___, ...rest } = common(props);
  return (
    <label className="hp-choice">
      <input
        {...rest}
        type="checkbox"
        value="true"
        defaultChecked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        <Text>{field.label}</Text>
      </span>
    </label>
  );
}

function Select(props: FieldProps): ReactNode {
  const { placeholder, ...rest } = common(props);
  const chosen = textOf(props.value);
  // A list does not follow its default value, as other inputs do: a value that came late would be sent without being shown (G12).
  const follow = (list: HTMLSelectElement | null) => {
    if (list && chosen) list.value = chosen;
  };
  return (
    <select {...rest} ref={follow} defaultValue={chosen}>
      <option value="">{placeholder ?? WORDS.choose}</option>
      {(props.field.options ?? []).map(({ value, label }) => (
        <option key={value} value={value}>
          {visibleText(label)}
        </option>
      ))}
    </select>
  );
}

function CheckBoxes({ field, value, onChange, onLeave }: FieldProps): ReactNode {
  const chosen = new Set(Array.isArray(value) ? value.map(String) : []);
  const options = field.options ?? [];
  return options.map((option) => (
    <label key={option.value} className="hp-choice">
      <input
        type="checkbox"
        name={field.key}
        value={option.value}
        defaultChecked={chosen.has(option.value)}
        onBlur={onLeave}
        onChange={(event) => {
          if (event.currentTarget.checked) chosen.add(option.value);
          else chosen.delete(option.value);
          onChange(options.map((each) => each.value).filter((each) => chosen.has(each)));
        }}
      />
      <span>
        <Text>{option.label}</Text>
      </span>
    </label>
  ));
}

function Range(props: FieldProps): ReactNode {
  const { min, max } = boundsOf(props.field);
  const { placeholder: _, required: __, ...rest } = common(props);
  const isHydrated = useHydrated();
  return (
    <div className="hp-range">
      <input {...rest} type="range" min={min} max={max} step="any" defaultValue={textOf(props.value)} />
      <output htmlFor={rest.id}>
        {typeof props.value === "number"
          ? Math.round(props.value * 100) / 100
          : isHydrated
            ? WORDS.unset
            : ""}
      </output>
      <span className="hp-hint">{WORDS.to(min ?? "", max ?? "")}</span>
    </div>
  );
}
