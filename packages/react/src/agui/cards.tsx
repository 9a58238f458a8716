/** A card for each common reason. Each fills in a draft; sending is the desk's business. */

import { type CardKind, offersEdits } from "@holdpoint/protocol/agui";
import {
  CALL_UNKNOWN,
  isCallUnknown,
  isObject,
  type Json,
  type JsonObject,
  member,
} from "@holdpoint/protocol/rules";
import { type ComponentType, type ReactNode, useEffect } from "react";
import { ArgumentEditor } from "../components/argument-editor.tsx";
import { ToolCall } from "../components/details.tsx";
import { SchemaView } from "../components/schema-view.tsx";
import { Code, Text } from "../components/text.tsx";
import { UnknownCall } from "../components/unknown-call.tsx";
import { initialValue, schemaNode } from "../headless/schema-form.ts";
import { type CardProps, Choice, payloadOf, Shown, shownOf, Words } from "./card-parts.tsx";

const WORDS = {
  argumentsAsJson: "Arguments, as JSON: change them before they are used",
  whyNot: "Why not?",
  policyHoldsBack: "A policy holds this back until somebody has looked at it.",
  risk: "Risk:",
  undo: "To undo it:",
  sayWhy: "Say why",
  yourDecision: "Your decision",
  go: "Go on?",
  confirm: "Confirm",
  doNot: "Do not",
  whatNow: "What now?",
};

const YES_NO = [
  { value: "yes", label: "Approve" },
  { value: "no", label: "Deny" },
] as const;

/** A call with its arguments, or whatever else is to be approved. */
export function ApprovalCard(props: CardProps): ReactNode {
  const shown = shownOf(props.interrupt);
  const tool = isObject(shown) ? member(shown, "tool") : undefined;
  const args = argsOf(props);
  return (
    <>
      {typeof tool === "string" ? (
        <ToolCall tool={tool} args={args ?? {}} />
      ) : args === undefined ? null : (
        <Shown value={args} />
      )}
      {isObject(shown) && isCallUnknown({ context: shown }) ? <UnknownCall /> : null}
      <Shown value={shown} without={["tool", "args", CALL_UNKNOWN]} />
      <Approving {...props} args={args} />
    </>
  );
}

function argsOf({ args, interrupt }: CardProps): JsonObject | undefined {
  const shown = shownOf(interrupt);
  const given = isObject(shown) ? member(shown, "args") : undefined;
  return args ?? (isObject(given) ? given : undefined);
}

function Approving({ interrupt, draft, problems, args, onDraft }: CardProps): ReactNode {
  const payload = payloadOf(draft);
  const approved = payload["approved"];
  const chosen = approved === true ? "yes" : approved === false ? "no" : undefined;
  const feedback = typeof payload["feedback"] === "string" ? payload["feedback"] : "";
  const resolve = (next: JsonObject) => onDraft({ status: "resolved", payload: next });
  return (
    <>
      <Choice
        legend={WORDS.yourDecision}
        options={YES_NO}
        chosen={chosen}
        onChoose={(value) => resolve({ ...without(payload, "editedArgs"), approved: value === "yes" })}
      />
      {chosen === "yes" && offersEdits(interrupt) && args !== undefined ? (
        <ArgumentEditor
          name="editedArgs"
          label={WORDS.argumentsAsJson}
          proposed={args}
          problem={problems[0]?.message}
          // What cannot be read yet is no answer yet.
          onChange={(edited) =>
            edited === null ? onDraft(null) : resolve({ ...payload, approved: true, editedArgs: edited })
          }
        />
      ) : null}
      {chosen === "no" ? (
        <Words
          label={WORDS.whyNot}
          value={feedback}
          onChange={(text) => resolve(said(payload, "feedback", text))}
        />
      ) : null}
    </>
  );
}

function without(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = object;
  return rest;
}

function said(payload: JsonObject, name: string, text: string): JsonObject {
  return text === "" ? without(payload, name) : { ...payload, [name]: text };
}

export function PolicyCard(props: CardProps): ReactNode {
  return (
    <>
      <p className="hp-warning">{WORDS.policyHoldsBack}</p>
      <Shown value={shownOf(props.interrupt)} />
      <Approving {...props} />
    </>
  );
}

const DATABASE = ["query", "rollbackPlan", "riskLevel"] as const;

export function DatabaseCard(props: CardProps): ReactNode {
  const shown = shownOf(props.interrupt);
  const [query, rollbackPlan, riskLevel] = DATABASE.map((name) =>
    isObject(shown) ? member(shown, name) : undefined,
  );
  return (
    <>
      {typeof riskLevel === "string" ? (
        <p className="hp-warning">
          {WORDS.risk}{" "}
          <strong>
            <Text>{riskLevel}</Text>
          </strong>
        </p>
      ) : null}
      {typeof query === "string" ? <Code text={query} language="sql" /> : null}
      <Shown value={shown} without={[...DATABASE]} />
      {typeof rollbackPlan === "string" ? (
        <p>
          {WORDS.undo} <Text>{rollbackPlan}</Text>
        </p>
      ) : null}
      <Approving {...props} />
    </>
  );
}

export function ConfirmationCard(props: CardProps): ReactNode {
  const { interrupt, draft, onDraft } = props;
  const { responseSchema: schema } = interrupt;
  const isBare = schema !== undefined && member(schema, "type") === "boolean";
  if (schema !== undefined && !isBare) return <FormCard {...props} />;
  const payload = draft?.status === "resolved" ? draft.payload : undefined;
  const confirmed = isObject(payload) ? payload["confirmed"] : payload;
  const choose = (yes: boolean) =>
    onDraft({ status: "resolved", payload: isBare ? yes : { confirmed: yes } });
  return (
    <>
      <Shown value={shownOf(interrupt)} />
      <Choice
        legend={WORDS.go}
        options={[
          { value: "yes", label: WORDS.confirm },
          { value: "no", label: WORDS.doNot },
        ]}
        chosen={confirmed === true ? "yes" : confirmed === false ? "no" : undefined}
        onChoose={(value) => choose(value === "yes")}
      />
    </>
  );
}

const WAYS_OUT: readonly Json[] = ["retry", "skip", "abort"];

export function RecoveryCard({ interrupt, draft, onDraft }: CardProps): ReactNode {
  const payload = payloadOf(draft);
  const reason = typeof payload["reason"] === "string" ? payload["reason"] : "";
  const options = waysOut(interrupt.responseSchema).map((way) => ({
    value: String(way),
    label: capital(String(way)),
  }));
  const chosen = typeof payload["action"] === "string" ? payload["action"] : undefined;
  const resolve = (next: JsonObject) => onDraft({ status: "resolved", payload: next });
  return (
    <>
      <Shown value={shownOf(interrupt)} />
      <Choice
        legend={WORDS.whatNow}
        options={options}
        chosen={chosen}
        onChoose={(action) => resolve({ ...payload, action })}
      />
      {chosen === undefined ? null : (
        <Words
          label={WORDS.sayWhy}
          value={reason}
          onChange={(text) => resolve(said(payload, "reason", text))}
        />
      )}
    </>
  );
}

function waysOut(schema: JsonObject | undefined): readonly Json[] {
  const properties = schema === undefined ? undefined : member(schema, "properties");
  const action = isObject(properties) ? member(properties, "action") : undefined;
  const ways = isObject(action) ? member(action, "enum") : undefined;
  return Array.isArray(ways) ? ways : WAYS_OUT;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whatever its schema asks for; without a schema, JSON. */
export function FormCard({ interrupt, draft, problems, onDraft }: CardProps): ReactNode {
  const node = schemaNode(interrupt.responseSchema ?? {});
  const isBegun = draft !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form begins with its defaults, once.
  useEffect(() => {
    if (!isBegun) onDraft({ status: "resolved", payload: initialValue(node) ?? {} });
  }, [isBegun]);
  return (
    <>
      <Shown value={shownOf(interrupt)} />
      <SchemaView
        node={node}
        value={draft?.status === "resolved" ? draft.payload : undefined}
        messages={new Map(problems.map(({ key, message }) => [placeOf(key, message), message]))}
        onChange={(value) => onDraft({ status: "resolved", payload: value ?? {} })}
      />
    </>
  );
}

/** What is missing is said of the object it is missing from; people look for it at its own place. */
function placeOf(key: string, message: string): string {
  const missing = /required property "([^"]+)"/.exec(message)?.[1];
  return missing === undefined ? key : `${key}/${missing.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** The card for each kind of interrupt. */
export const STANDARD_CARDS: Readonly<Record<CardKind, ComponentType<CardProps>>> = {
  approval: ApprovalCard,
  form: FormCard,
  confirmation: ConfirmationCard,
  file: FormCard,
  policy: PolicyCard,
  recovery: RecoveryCard,
  database: DatabaseCard,
  generic: FormCard,
};
