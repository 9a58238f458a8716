/** A JSON Schema as a form. The value is kept as JSON; what has no input of its own is written as JSON text. */

import {
  FILE_INPUT,
  filePlaces,
  isObject,
  type Json,
  type JsonObject,
  sameJson,
  visibleText,
} from "@holdpoint/protocol/rules";
import { type ReactNode, useState } from "react";
import { optionTexts, type SchemaNode } from "../headless/schema-form.ts";
import { visibleJson } from "../headless/visible-json.ts";
import { FileInput } from "./late-parts.ts";
import { schemaId, sentence } from "./names.ts";
import { Text } from "./text.tsx";

const WORDS = {
  optional: "optional",
  choose: "Choose …",
  notJson: "This is not JSON yet.",
  yourAnswer: "Your answer",
};

interface NodeProps<Kind extends SchemaNode["kind"] = SchemaNode["kind"]> {
  readonly node: Extract<SchemaNode, { kind: Kind }>;
  readonly value: Json | undefined;
  readonly messages: ReadonlyMap<string, string>;
  readonly onChange: (value: Json | undefined) => void;
}

export function SchemaView(props: NodeProps): ReactNode {
  const { node } = props;
  if (node.kind === "object") return <ObjectView {...(props as NodeProps<"object">)} />;
  const id = schemaId(node.at);
  const message = props.messages.get(node.at);
  const isGroup = node.kind === "choices";
  const label = (
    <>
      <Text>{capital(node.label === "" ? WORDS.yourAnswer : node.label)}</Text>
      {node.required ? null : <span className="hp-optional"> {WORDS.optional}</span>}
    </>
  );
  const body = (
    <>
      <Control {...props} id={id} message={message} />
      {node.hint === undefined ? null : (
        <p className="hp-hint" id={`${id}-hint`}>
          <Text>{node.hint}</Text>
        </p>
      )}
      {message === undefined ? null : (
        <p className="hp-problem" id={`${id}-problem`} role="alert">
          {sentence(message)}
        </p>
      )}
    </>
  );
  if (isGroup) {
    return (
      <fieldset className="hp-field hp-choices" id={id} tabIndex={-1}>
        <legend>{label}</legend>
        {body}
      </fieldset>
    );
  }
  if (node.kind === "boolean") return <div className="hp-field">{body}</div>;
  return (
    <div className="hp-field">
      <label htmlFor={id}>{label}</label>
      {body}
    </div>
  );
}

/** Without script the rest of the answer is JSON; a file cannot be typed. */
export function UnscriptedFiles({ schema }: { readonly schema: JsonObject }): ReactNode {
  return filePlaces(schema).map(({ at, label }) => (
    <div key={at} className="hp-field">
      <label htmlFor={schemaId(at)}>
        <Text>{capital(label)}</Text>
      </label>
      <input type="file" id={schemaId(at)} name={FILE_INPUT + at} />
    </div>
  ));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function ObjectView({ node, value, messages, onChange }: NodeProps<"object">): ReactNode {
  const object: JsonObject = isObject(value ?? null) ? (value as JsonObject) : {};
  const members = node.members.map(([name, inner]) => (
    <SchemaView
      key={name}
      node={inner}
      value={object[name]}
      messages={messages}
      onChange={(changed) => {
        const { [name]: _, ...others } = object;
        onChange(changed === undefined ? others : { ...others, [name]: changed });
      }}
    />
  ));
  if (node.at === "") return members;
  return (
    <fieldset className="hp-step">
      <legend>
        <Text>{capital(node.label)}</Text>
      </legend>
      {members}
    </fieldset>
  );
}

interface ControlProps extends NodeProps {
  readonly id: string;
  readonly message: string | undefined;
}

function Control(props: ControlProps): ReactNode {
  const { node, value, onChange, id, message } = props;
  const described = [
    node.hint === undefined ? "" : `${id}-hint`,
    message === undefined ? "" : `${id}-problem`,
  ];
  const shared = {
    id,
    "aria-invalid": message === undefined ? undefined : true,
    "aria-describedby": described.filter((each) => each !== "").join(" ") || undefined,
  };
  switch (node.kind) {
    case "boolean":
      return (
        <label className="hp-choice">
          <input
            {...shared}
            type="checkbox"
            checked={value === true}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
          <span>
            <Text>{capital(node.label)}</Text>
          </span>
        </label>
      );
    case "number":
      return <NumberInput {...props} node={node} shared={shared} />;
    case "text": {
      const typed = {
        ...shared,
        defaultValue: typeof value === "string" ? value : "",
        onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
          onChange(event.currentTarget.value === "" ? undefined : event.currentTarget.value),
      };
      return node.long ? (
        <textarea {...typed} rows={5} />
      ) : (
        <input {...typed} type={node.input} autoComplete="off" />
      );
    }
    case "file":
      return (
        <FileInput
          id={id}
          name={FILE_INPUT + node.at}
          value={value}
          required={node.required}
          describedBy={shared["aria-describedby"]}
          isWrong={message !== undefined}
          onChange={onChange}
        />
      );
    case "choice":
      return <Choice {...props} options={node.options} shared={shared} />;
    case "choices":
      return <Choices {...props} options={node.options} />;
    default:
      return <JsonText {...props} />;
  }
}

interface NumberProps extends ControlProps {
  readonly node: Extract<ControlProps["node"], { readonly kind: "number" }>;
  readonly shared: object;
}

function NumberInput({ node, value, onChange, shared }: NumberProps): ReactNode {
  return (
    <input
      {...shared}
      type="number"
      step={node.whole ? 1 : "any"}
      min={node.min}
      max={node.max}
      defaultValue={typeof value === "number" ? value : ""}
      onInput={(event) => {
        const { value: text } = event.currentTarget;
        onChange(text === "" ? undefined : Number(text));
      }}
    />
  );
}

interface ChoiceProps extends ControlProps {
  readonly options: readonly Json[];
  readonly shared: object;
}

function Choice({ value, onChange, options, shared }: ChoiceProps): ReactNode {
  const chosen = value === undefined ? -1 : options.findIndex((option) => sameJson(option, value));
  return (
    <select
      {...shared}
      defaultValue={chosen === -1 ? "" : String(chosen)}
      onChange={({ currentTarget: { value: at } }) => onChange(at === "" ? undefined : options[Number(at)])}
    >
      <option value="">{WORDS.choose}</option>
      {optionTexts(options).map((text, at) => (
        <option key={text} value={String(at)}>
          {visibleText(text)}
        </option>
      ))}
    </select>
  );
}

function Choices({
  value,
  onChange,
  options,
}: ControlProps & { readonly options: readonly Json[] }): ReactNode {
  const chosen: readonly Json[] = Array.isArray(value) ? value : [];
  const isChosen = (option: Json) => chosen.some((each) => sameJson(each, option));
  return optionTexts(options).map((text, at) => (
    <label key={text} className="hp-choice">
      <input
        type="checkbox"
        checked={isChosen(options[at] as Json)}
        onChange={({ currentTarget: { checked } }) =>
          onChange(options.filter((each, index) => (index === at ? checked : isChosen(each))))
        }
      />
      <span>
        <Text>{text}</Text>
      </span>
    </label>
  ));
}

function JsonText({ id, value, onChange }: ControlProps): ReactNode {
  const [isWrong, setWrong] = useState(false);
  return (
    <>
      <textarea
        id={id}
        className="hp-mono"
        rows={5}
        spellCheck={false}
        aria-invalid={isWrong || undefined}
        defaultValue={value === undefined ? "" : visibleJson(value)}
        onInput={(event) => {
          const text = event.currentTarget.value;
          try {
            onChange(text.trim() === "" ? undefined : (JSON.parse(text) as Json));
            setWrong(false);
          } catch {
            // Plain words are a value too; the schema says whether they fit.
            onChange(text);
            setWrong(/^\s*[[{"]/.test(text));
          }
        }}
      />
      {isWrong ? <p className="hp-problem">{WORDS.notJson}</p> : null}
    </>
  );
}
