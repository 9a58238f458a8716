/** A small AG-UI app over the demo agent, as an app's author would build it: the protocol's own client and our components. */

import { HttpAgent } from "@ag-ui/client";
import { Text } from "@holdpoint/react";
import {
  InterruptHistory,
  type InterruptibleAgent,
  InterruptList,
  useInterrupts,
} from "@holdpoint/react/agui";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { useApi } from "../app/hooks.ts";
import { Heading } from "../app/parts.tsx";

const WORDS = {
  agUiApp: "AG-UI app",
  scriptedAgentBehind: (url: string | number) =>
    `A scripted agent behind ${url}, shown with the components of @holdpoint/react/agui. Reload as you like.`,
  newConversation: "New conversation",
  conversation: "Conversation",
  say: "Say",
  answerFirstAgent: "Answer first: the agent takes nothing new before that.",
};

const URL = "/agui/demo";
const SCENARIOS = [
  "approval",
  "edits",
  "parallel",
  "form",
  "confirmation",
  "file",
  "policy",
  "wizard",
  "database",
  "recovery",
] as const;
const KEPT = "holdpoint.agui-thread";

/** The same thread after a reload: what it waits for is with the server. */
function threadOf(): string {
  const kept = sessionStorage.getItem(KEPT);
  return kept ?? newThread();
}

function newThread(): string {
  const id = `playground-${crypto.randomUUID()}`;
  sessionStorage.setItem(KEPT, id);
  return id;
}

export function AgUiApp(): ReactNode {
  const [threadId, setThread] = useState(threadOf);
  return (
    <>
      <Heading title={WORDS.agUiApp} />
      <p className="hp-hint">{WORDS.scriptedAgentBehind(URL)}</p>
      <Conversation key={threadId} threadId={threadId} />
      <button type="button" className="hp-quiet" onClick={() => setThread(newThread())}>
        {WORDS.newConversation}
      </button>
    </>
  );
}

function Conversation({ threadId }: { readonly threadId: string }): ReactNode {
  const { state } = useApi();
  const headers = useMemo(() => ({ "x-csrf-token": state.csrf }), [state.csrf]);
  const agent = useMemo(
    () => new HttpAgent({ url: location.origin + URL, threadId, headers }) as TalkingAgent,
    [threadId, headers],
  );
  const interrupts = useInterrupts(
    agent,
    useMemo(() => ({ url: URL, headers }), [headers]),
  );
  const lines = useLines(agent);
  const isBlocked = interrupts.isBlocked();
  const say = (content: string) => {
    agent.addMessage({ id: crypto.randomUUID(), role: "user", content });
    void agent.runAgent({}).catch(() => undefined);
  };
  return (
    <>
      <section className="app-panel" aria-label={WORDS.conversation}>
        <ol className="app-lines" aria-live="polite">
          {lines.map(({ id, role, text }) => (
            <li key={id}>
              <b>{role}</b> <Text>{text}</Text>
            </li>
          ))}
        </ol>
        <InterruptList interrupts={interrupts} />
        <fieldset className="hp-bare app-bar" disabled={isBlocked}>
          <legend className="hp-unseen">{WORDS.say}</legend>
          {SCENARIOS.map((word) => (
            <button key={word} type="button" className="app-button" onClick={() => say(`${word} please`)}>
              {word}
            </button>
          ))}
        </fieldset>
        {isBlocked ? <p className="hp-hint">{WORDS.answerFirstAgent}</p> : null}
      </section>
      <section className="app-panel">
        <InterruptHistory past={interrupts.desk.history} />
      </section>
    </>
  );
}

interface Message {
  readonly id: string;
  readonly role: string;
  readonly content?: unknown;
}

interface TalkingAgent extends InterruptibleAgent {
  messages: readonly Message[];
  addMessage(message: Message): void;
}

interface Line {
  readonly id: string;
  readonly role: string;
  readonly text: string;
}

function useLines(agent: TalkingAgent): readonly Line[] {
  const [lines, setLines] = useState<readonly Line[]>([]);
  useEffect(() => {
    const show = ({ messages }: { readonly messages: readonly Message[] }) =>
      setLines(messages.flatMap(lineOf));
    const { unsubscribe } = agent.subscribe({ onMessagesChanged: show });
    return unsubscribe;
  }, [agent]);
  return lines;
}

function lineOf({ id, role, content }: Message): readonly Line[] {
  return typeof content === "string" && content !== "" ? [{ id, role, text: content }] : [];
}
