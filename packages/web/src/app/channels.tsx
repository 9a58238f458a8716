/** Where messages go out: registered webhooks, and what became of every delivery. */

import type { DeliveryListOut, DeliveryOut, WebhookListOut, WebhookOut } from "@holdpoint/protocol";
import { Moment } from "@holdpoint/react";
import { type FormEvent, type ReactNode, useState } from "react";
import { Changes } from "./activity/changes.tsx";
import { wordsOf } from "./api.ts";
import { Backlogs } from "./backlogs.tsx";
import { Chats } from "./chats.tsx";
import { endpointWords } from "./endpoint-words.ts";
import { type Loaded, useApi, useLoaded } from "./hooks.ts";
import { Mails } from "./mails.tsx";
import { Await, Badge, Empty, Heading, Problem, Secret, Sure, To, triesWords } from "./parts.tsx";
import { useNames } from "./queries.ts";
import { Releases } from "./releases.tsx";
import { WebhookChannels } from "./webhook-channels.tsx";

const WORDS = {
  channels: "Channels",
  secretOfWebhook: "This secret signs every message to the new webhook.",
  webhooks: "Webhooks for events",
  adminsOnly: "Admins see and change the webhooks.",
  everyEvent: "every event",
  remove: "Remove",
  removeConsequence: "Nothing more is sent there.",
  urlPlaceholder: "https://example.com/hooks/holdpoint",
  urlLabel: "Address of a webhook",
  add: "Add",
  deliveries: "Deliveries",
  nothingSent: "Nothing has been sent yet",
  to: "to",
  attempt: (attempt: number) => `, attempt ${attempt}`,
  hold: "hold",
  sendAgain: "Send again",
};

export function Channels({ beat }: { readonly beat: number }): ReactNode {
  const api = useApi();
  const [secret, setSecret] = useState<string>();
  const [trouble, setTrouble] = useState<string>();
  const isAdmin = api.state.role === "admin" || api.state.role === "dev";
  const hooks = useLoaded(async () =>
    isAdmin ? (await api.get<WebhookListOut>("/v1/webhooks")).webhooks : [],
  );
  const deliveries = useLoaded(
    async () => (await api.get<DeliveryListOut>("/v1/deliveries?limit=50")).deliveries,
    beat,
  );

  function act(work: Promise<unknown>): void {
    work
      .then(() => setTrouble(undefined))
      .catch((fault: unknown) => setTrouble(wordsOf(fault)))
      .finally(() => {
        hooks.reload();
        deliveries.reload();
      });
  }

  function onAdd(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const url = String(new FormData(event.currentTarget).get("url"));
    act(api.send<WebhookOut>("POST", "/v1/webhooks", { url }).then((made) => setSecret(made.secret)));
  }

  return (
    <>
      <Heading title={WORDS.channels} />
      {secret === undefined ? null : <Secret label={WORDS.secretOfWebhook} text={secret} />}
      <Problem words={trouble} />
      <Chats beat={beat} />
      <Mails beat={beat} />
      <WebhookChannels beat={beat} />
      <Releases beat={beat} />
      {isAdmin ? <Webhooks hooks={hooks} onAdd={onAdd} /> : <HiddenWebhooks />}
      <Backlogs beat={beat} />
      <Deliveries deliveries={deliveries} act={act} />
      <Changes of="channels" />
    </>
  );
}

type Act = (work: Promise<unknown>) => void;

interface WebhooksProps {
  readonly hooks: Loaded<readonly WebhookOut[]>;
  readonly onAdd: (event: FormEvent<HTMLFormElement>) => void;
}

function HiddenWebhooks(): ReactNode {
  return (
    <section className="app-panel">
      <h2>{WORDS.webhooks}</h2>
      <p className="hp-hint">{WORDS.adminsOnly}</p>
    </section>
  );
}

function Webhooks({ hooks, onAdd }: WebhooksProps): ReactNode {
  const api = useApi();
  return (
    <section className="app-panel">
      <h2>{WORDS.webhooks}</h2>
      <Await loaded={hooks}>
        {(list) => (
          <ul className="app-plain">
            {list.map((hook) => (
              <li key={hook.id}>
                <span>
                  <code>{hook.url}</code>
                  <small>{hook.events.length === 0 ? WORDS.everyEvent : hook.events.join(", ")}</small>
                </span>
                <Sure
                  label={WORDS.remove}
                  question={WORDS.removeConsequence}
                  act={() => api.send("DELETE", `/v1/webhooks/${hook.id}`)}
                  onDone={hooks.reload}
                  isDanger
                />
              </li>
            ))}
          </ul>
        )}
      </Await>
      <form className="app-inline" onSubmit={onAdd}>
        <input
          name="url"
          type="url"
          required
          placeholder={WORDS.urlPlaceholder}
          aria-label={WORDS.urlLabel}
        />
        <button type="submit" className="app-button">
          {WORDS.add}
        </button>
      </form>
    </section>
  );
}

interface DeliveriesProps {
  readonly deliveries: Loaded<readonly DeliveryOut[]>;
  readonly act: Act;
}

function Deliveries({ deliveries, act }: DeliveriesProps): ReactNode {
  const api = useApi();
  const nameOf = useNames();
  return (
    <section className="app-panel">
      <h2>{WORDS.deliveries}</h2>
      <Await loaded={deliveries}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={WORDS.nothingSent} />
          ) : (
            <ul className="app-plain">
              {list.map((each) => (
                <li key={each.id}>
                  <span>
                    <strong>{each.event_type}</strong> {WORDS.to}{" "}
                    <span title={each.endpoint}>{endpointWords(each)}</span>{" "}
                    {each.to === undefined ? "" : nameOf(each.to)}
                    <small>
                      <Moment at={each.created_at} />, {triesWords(each.attempts.length)}
                      {each.attempt === undefined ? "" : WORDS.attempt(each.attempt)}
                      {each.reason === undefined ? "" : `, ${each.reason.replaceAll("_", " ")}`}
                      {each.hold_id === undefined ? null : (
                        <>
                          {" "}
                          · <To href={`/console/holds/${each.hold_id}`}>{WORDS.hold}</To>
                        </>
                      )}
                    </small>
                  </span>
                  <Badge>{each.state}</Badge>
                  {each.state === "failed" ? (
                    <button
                      type="button"
                      className="app-button"
                      onClick={() => act(api.send("POST", `/v1/deliveries/${each.id}/replay`, {}))}
                    >
                      {WORDS.sendAgain}
                    </button>
                  ) : null}
                </li>
              ))}
            </ul>
          )
        }
      </Await>
    </section>
  );
}
