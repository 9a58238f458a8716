/** A card for each common reason. Each fills in a draft; sending is the desk's business. */

import { type CardKind, type Interrupt, offersEdits } from "@holdpoint/protocol/agui";
import {
  type Ask,
  isCallUnknown,
  isObject,
  type Json,
  type JsonObject,
  member,
  sameJson,
} from "@holdpoint/protocol/rules";
import { type ComponentType, type ReactNode, useState } from "react";
import { ArgumentEditor } from "../components/argument-editor.tsx";
import { Details } from "../components/details.tsx";
import { SchemaView } from "../components/schema-view.tsx";
import { Code, Text } from "../components/text.tsx";
import { HOW_KNOWN, UnknownCall } from "../components/unknown-call.tsx";
import { Exact, ValueView } from "../components/value-view.tsx";
import { toolCallOf } from "../headless/parts.ts";
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
  asItIs: "Answer with what is filled in",
  streamed: "The arguments that this app was sent",
  differs:
    "This app was sent other arguments than the question names. If you approve, what the question names above will run.",
};

const YES_NO = [
  { value: "yes", label: "Approve" },
  { value: "no", label: "Deny" },
] as const;

/** A call with its arguments, or whatever else is to be approved. */
export function ApprovalCard(props: CardProps): ReactNode {
  const { interrupt, args: streamed } = props;
  const shown = shownOf(interrupt);
  const ask = askAbout(shown);
  const call = ask === undefined ? undefined : toolCallOf(ask);
  const isCallMissing = interrupt.reason === "tool_call" && isOnlyName(shown) && streamed === undefined;
  const isUnknown = isCallMissing || (ask !== undefined && isCallUnknown(ask));
  return (
    <>
      {isUnknown ? <UnknownCall /> : null}
      {ask === undefined ? <Shown value={shown} /> : <Details ask={ask} isWhole />}
      <Streamed call={call} args={streamed} />
      <Approving {...props} args={call?.args ?? streamed} isUnknown={isUnknown} />
    </>
  );
}

/** What the interrupt says, as the pages of holds show it. */
function askAbout(shown: Json | undefined): Ask | undefined {
  return isObject(shown ?? null) ? { type: "approval", prompt: "", context: shown as JsonObject } : undefined;
}

/** Nothing, or only which tool: with what it will run is not said. */
function isOnlyName(shown: Json | undefined): boolean {
  if (shown === undefined || shown === null || shown === "") return true;
  return isObject(shown) && Object.keys(shown).every((name) => name === "tool");
}

interface StreamedProps {
  readonly call: { readonly args: JsonObject } | undefined;
  readonly args: JsonObject | undefined;
}

/** What will run is what the interrupt says (G15). The app may have been sent something else, which the person must know. */
function Streamed({ call, args }: StreamedProps): ReactNode {
  if (args === undefined || (call !== undefined && sameJson(call.args, args))) return null;
  return (
    <section className="hp-card" aria-label={WORDS.streamed}>
      {call === undefined ? null : (
        <p className="hp-notice hp-bad" role="alert">
          {WORDS.differs}
        </p>
      )}
      <h4 className="hp-card-title">{WORDS.streamed}</h4>
      <Exact value>
        <ValueView name="args" value={args} />
      </Exact>
    </section>
  );
}

interface ApprovingProps extends CardProps {
  readonly isUnknown?: boolean;
}

function Approving(props: ApprovingProps): ReactNode {
  const { interrupt, draft, problems, args, onDraft, isUnknown = false } = props;
  const payload = payloadOf(draft);
  const approved = payload["approved"];
  // Chosen, though it is no answer yet: how the person knows what will run is missing, or the arguments cannot be read.
  const [isWanted, setWanted] = useState(false);
  const [note, setNote] = useState("");
  const isYes = approved === true || (isWanted && draft === undefined);
  const chosen = isYes ? "yes" : approved === false ? "no" : undefined;
  const feedback = typeof payload["feedback"] === "string" ? payload["feedback"] : "";
  const resolve = (next: JsonObject) => onDraft({ status: "resolved", payload: next });
  const approve = (why: string) => {
    if (!isUnknown) resolve({ ...without(payload, "editedArgs"), approved: true });
    else if (why.trim() === "") onDraft(null);
    else resolve({ approved: true, ...noteIn(interrupt, why) });
  };
  return (
    <>
      <Choice
        legend={WORDS.yourDecision}
        options={YES_NO}
        chosen={chosen}
        onChoose={(value) => {
          setWanted(value === "yes" && isUnknown);
          if (value === "yes") approve(note);
          else resolve({ ...without(payload, "editedArgs"), approved: false });
        }}
      />
      {isYes && isUnknown ? (
        <Words
          label={HOW_KNOWN}
          value={note}
          isRequired
          onChange={(text) => {
            setNote(text);
            approve(text);
          }}
        />
      ) : null}
      {chosen === "yes" && !isUnknown && offersEdits(interrupt) && args !== undefined ? (
        <ArgumentEditor
          name="editedArgs"
          label={WORDS.argumentsAsJson}
          proposed={args}
          problem={problems[0]?.message}
          // What cannot be read yet is no answer yet; what was typed stays.
          onChange={(edited) => {
            setWanted(edited === null);
            if (edited === null) onDraft(null);
            else resolve({ ...payload, approved: true, editedArgs: edited });
          }}
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

/** Under the name that the agent's schema has room for; a closed schema without any takes the decision alone. */
function noteIn({ responseSchema: schema = {} }: Interrupt, note: string): JsonObject {
  const properties = member(schema, "properties");
  const isOpen = member(schema, "additionalProperties") !== false;
  const name = ["note", "feedback"].find((each) => isObject(properties) && Object.hasOwn(properties, each));
  return isOpen ? { note } : name === undefined ? {} : { [name]: note };
}

function without(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = object;
  return rest;
}

function said(payload: JsonObject, name: string, text: string): JsonObject {
  return text === "" ? without(payload, name) : { ...payload, [name]: text };
}

/** No payload, and no call that the app was sent. */
function isNothingShown({ interrupt, args }: CardProps): boolean {
  const shown = shownOf(interrupt) ?? null;
  const isEmpty = shown === null || shown === "" || (isObject(shown) && Object.keys(shown).length === 0);
  return args === undefined && isEmpty;
}

/** `children`: what else is said of it, besides every member that is not in `without`. */
function HeldBack(
  props: CardProps & { readonly without?: readonly string[]; readonly children?: ReactNode },
) {
  const { interrupt, args, without: drawn = [], children } = props;
  const shown = shownOf(interrupt);
  const ask = askAbout(shown);
  const isUnknown = isNothingShown(props) || (ask !== undefined && isCallUnknown(ask));
  const call = ask === undefined ? undefined : toolCallOf(ask);
  return (
    <>
      {isUnknown ? <UnknownCall /> : null}
      {children}
      <Exact value={call !== undefined}>
        <Shown value={shown} without={drawn} />
      </Exact>
      <Streamed call={call} args={args} />
      <Approving {...props} args={call?.args ?? args} isUnknown={isUnknown} />
    </>
  );
}

export function PolicyCard(props: CardProps): ReactNode {
  return (
    <HeldBack {...props}>
      <p className="hp-warning">{WORDS.policyHoldsBack}</p>
    </HeldBack>
  );
}

const DATABASE = ["query", "rollbackPlan", "riskLevel"] as const;

export function DatabaseCard(props: CardProps): ReactNode {
  const shown = shownOf(props.interrupt);
  const [query, rollbackPlan, riskLevel] = DATABASE.map((name) => {
    const value = isObject(shown ?? null) ? member(shown as JsonObject, name) : undefined;
    return typeof value === "string" && value.trim() !== "" ? value : undefined;
  });
  const drawn = DATABASE.filter((_name, at) => [query, rollbackPlan, riskLevel][at] !== undefined);
  return (
    <HeldBack {...props} without={drawn}>
      {riskLevel === undefined ? null : (
        <p className="hp-warning">
          {WORDS.risk}{" "}
          <strong>
            <Text>{riskLevel}</Text>
          </strong>
        </p>
      )}
      {query === undefined ? null : <Code text={query} language="sql" />}
      {rollbackPlan === undefined ? null : (
        <p>
          {WORDS.undo} <Text>{rollbackPlan}</Text>
        </p>
      )}
    </HeldBack>
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
  const ask = askAbout(shownOf(interrupt));
  return (
    <>
      {ask !== undefined && isCallUnknown(ask) ? <UnknownCall /> : null}
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

/** Whatever its schema asks for; without a schema, JSON. It is no answer before the person has filled in or accepted something. */
export function FormCard({ interrupt, draft, problems, onDraft }: CardProps): ReactNode {
  const node = schemaNode(interrupt.responseSchema ?? {});
  const resolve = (value: Json | undefined) => onDraft({ status: "resolved", payload: value ?? {} });
  const begun = initialValue(node);
  return (
    <>
      <Shown value={shownOf(interrupt)} />
      <SchemaView
        node={node}
        value={draft?.status === "resolved" ? draft.payload : begun}
        messages={new Map(problems.map(({ key, message }) => [placeOf(key, message), message]))}
        onChange={resolve}
      />
      {draft === undefined ? (
        <button type="button" className="hp-button" onClick={() => resolve(begun)}>
          {WORDS.asItIs}
        </button>
      ) : null}
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
