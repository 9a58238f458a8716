/** When and where people are told, as a picture: a line of time with a rung for each telling, and its end. */

import type { DeliveryOut } from "@holdpoint/protocol";
import type { Hold } from "@holdpoint/protocol/client";
import { Moment, Text } from "@holdpoint/react";
import type { ReactNode } from "react";
import { endpointWords } from "./endpoint-words.ts";
import { Badge, triesWords } from "./parts.tsx";
import { useNames } from "./queries.ts";

const WORDS = {
  asked: "Asked",
  reminder: "Reminder",
  expires: "Expires",
};

interface LadderProps {
  readonly hold: Hold;
  readonly deliveries: readonly DeliveryOut[];
}

interface Step {
  readonly at: string;
  readonly title: string;
  readonly state: string;
  readonly detail?: string;
  readonly deliveries?: readonly DeliveryOut[];
}

export function LadderPicture({ hold, deliveries }: LadderProps): ReactNode {
  const nameOf = useNames();
  const steps: readonly Step[] = [
    { at: hold.createdAt, title: WORDS.asked, state: "done" },
    ...hold.ladder.map(
      (rung): Step => ({
        at: rung.at,
        title: rung.kind === "reminder" ? WORDS.reminder : `Attempt ${rung.n}`,
        state: rung.state,
        detail: [rung.channel, rung.to && nameOf(rung.to)].filter((each) => each !== undefined).join(" → "),
        deliveries: deliveries.filter((delivery) => isOf(delivery, rung)),
      }),
    ),
    ...endOf(hold),
  ];
  return (
    <>
      <ol className="app-ladder">
        {steps.map((step) => (
          <li
            key={`${step.at}-${step.title}-${step.detail ?? ""}`}
            className={`app-rung app-rung-${step.state}`}
          >
            <span className="app-rung-title">
              {step.title}{" "}
              {step.state === "done" || step.state === "end" ? null : <Badge>{step.state}</Badge>}
            </span>
            <small>
              <Moment at={step.at} /> <Text>{step.detail ?? ""}</Text>
            </small>
            <Told deliveries={step.deliveries ?? []} />
          </li>
        ))}
      </ol>
      <Told deliveries={deliveries.filter((delivery) => !hold.ladder.some((rung) => isOf(delivery, rung)))} />
    </>
  );
}

type Rung = Hold["ladder"][number];

/** A rung that names no channel goes by the default one. */
function isOf({ attempt, endpoint, event_type: type }: DeliveryOut, rung: Rung): boolean {
  const isReminder = type === "hold.reminded";
  if (attempt !== rung.n || isReminder !== (rung.kind === "reminder")) return false;
  return rung.channel === undefined || rung.channel === endpoint;
}

/** Whether anybody was told, one line for each. */
function Told({ deliveries }: Pick<LadderProps, "deliveries">): ReactNode {
  const nameOf = useNames();
  if (deliveries.length === 0) return null;
  return (
    <ul className="app-plain">
      {deliveries.map((delivery) => (
        <li key={delivery.id}>
          <span>
            <span title={delivery.endpoint}>{endpointWords(delivery)}</span>{" "}
            <Text>{delivery.to === undefined ? "" : nameOf(delivery.to)}</Text>{" "}
            <small>
              {eventWords(delivery.event_type)}, {triesWords(delivery.attempts.length)}
              {delivery.reason === undefined ? "" : `, ${delivery.reason.replaceAll("_", " ")}`}
            </small>
          </span>
          <Badge>{delivery.state}</Badge>
        </li>
      ))}
    </ul>
  );
}

/** What the message was about: `hold.placed` is “placed”. */
function eventWords(type: string): string {
  return type.replace(/^hold\./, "").replaceAll("_", " ");
}

const ENDED = { expired: "Expired", cancelled: "Withdrawn" } as const;

function endOf({ outcome, expiresAt, onTimeout }: Hold): readonly Step[] {
  if (outcome !== undefined) {
    const title = outcome.kind === "decided" ? `Decided: ${outcome.action}` : ENDED[outcome.kind];
    return [{ at: outcome.at, title, state: "end" }];
  }
  if (expiresAt === undefined) return [];
  const detail = onTimeout?.action === undefined ? "" : `then ${onTimeout.action}, automatically`;
  return [{ at: expiresAt, title: WORDS.expires, state: "waiting", detail }];
}
