/** The intent that waits for this hold, and what stands around it: a picture, and the same as a list. */

import { Text } from "@holdpoint/react";
import type { ReactNode } from "react";
import { type Api, found } from "./api.ts";
import { useApi } from "./hooks.ts";
import {
  DRAWN_MAX,
  type Edge,
  type IntentNode,
  layOut,
  type Neighbourhood,
  NODE,
  type PlacedNode,
  titleLines,
} from "./intent-layout.ts";
import { Await, Badge } from "./parts.tsx";
import { useAround } from "./queries.ts";
import { SHOWN_MAX } from "./workflow.ts";

const WORDS = {
  intent: "Intent",
  picture: (title: string, status: string, others: number) =>
    `${title}, ${status}, ${others === 0 ? "alone" : others === 1 ? "with 1 neighbour. It is listed below" : `among ${others} neighbours. They are listed below`}.`,
  drawn: (drawnMax: string | number, length: string | number) => `(${drawnMax} of ${length} drawn)`,
  waitsPerson: "waits for a person",
  more: (count: number) => `and ${count.toLocaleString("en")} more`,
  hidden: "You may not see this intent.",
  waitsHold: "Waits for this hold",
  part: "Part of",
  waits: "Waits for",
  waitedBy: "Waited for by",
  hasParts: "Has parts",
};

interface IntentOut extends IntentNode {
  readonly parent_intent_id?: string | null;
}

const AT = "/api/v1/intents/";

/** `null`: this person may not see it. */
async function neighbourhoodOf(api: Api, id: string): Promise<Neighbourhood | null> {
  const at = AT + encodeURIComponent(id);
  const list = async (name: string): Promise<readonly IntentNode[]> =>
    (await found(api.get<Record<string, readonly IntentNode[]>>(`${at}/${name}`)))?.[name] ?? [];
  const self = await found(api.get<IntentOut>(at));
  if (self === undefined) return null;
  const parentId = self.parent_intent_id ?? undefined;
  const [parent, dependencies, dependents, children] = await Promise.all([
    parentId === undefined ? undefined : found(api.get<IntentOut>(AT + encodeURIComponent(parentId))),
    list("dependencies"),
    list("dependents"),
    list("children"),
  ]);
  return { self, parent, dependencies, dependents, children };
}

interface IntentPanelProps {
  readonly id: string;
  readonly holdId: string;
}

export function IntentPanel({ id, holdId }: IntentPanelProps): ReactNode {
  const api = useApi();
  const around = useAround(holdId, "neighbours", () => neighbourhoodOf(api, id));
  return (
    <section className="app-panel">
      <h2>{WORDS.intent}</h2>
      <Await loaded={around}>
        {(value) =>
          value === null ? (
            <p className="hp-hint">{WORDS.hidden}</p>
          ) : (
            <figure className="app-intent">
              <Picture around={value} />
              <figcaption>
                <Relations around={value} />
              </figcaption>
            </figure>
          )
        }
      </Await>
    </section>
  );
}

function words(status: string): string {
  return status === "suspended_awaiting_input" ? WORDS.waitsPerson : status.replaceAll("_", " ");
}

function Picture({ around }: { readonly around: Neighbourhood }): ReactNode {
  const { width, height, nodes, edges } = layOut(around);
  return (
    <svg
      viewBox={`-2 -2 ${width + 4} ${height + 4}`}
      role="img"
      aria-label={WORDS.picture(around.self.title, words(around.self.status), nodes.length - 1)}
    >
      {edges.map((edge) => (
        <EdgeView key={edge.points.join()} edge={edge} />
      ))}
      {nodes.map((node) => (
        <NodeView key={`${node.id}-${node.x}-${node.y}`} node={node} />
      ))}
    </svg>
  );
}

function EdgeView({ edge: { kind, points } }: { readonly edge: Edge }): ReactNode {
  const [x = 0, y = 0] = points.at(-1) ?? [];
  return (
    <g className={`app-edge app-edge-${kind}`}>
      <polyline points={points.map((point) => point.join()).join(" ")} />
      {kind === "dependency" ? <polyline points={`${x + 7},${y - 4} ${x},${y} ${x + 7},${y + 4}`} /> : null}
    </g>
  );
}

function NodeView({ node }: { readonly node: PlacedNode }): ReactNode {
  const lines = titleLines(node.title).map((line, at) => ({ line, y: 19 + at * 15 }));
  return (
    <g
      className={`app-node app-node-${node.status}${node.isSelf ? " app-node-self" : ""}`}
      transform={`translate(${node.x} ${node.y})`}
    >
      <rect width={NODE.width} height={NODE.height} rx="10" />
      <circle cx="15" cy={NODE.height - 14} r="4.5" />
      {/* A picture in the picture cuts off letters that are wider than the box. */}
      <svg aria-hidden="true" x="11" width={NODE.width - 22} height={NODE.height}>
        {lines.map(({ line, y }) => (
          <text key={y} y={y}>
            <Text>{line}</Text>
          </text>
        ))}
      </svg>
      <text className="app-node-status" x="26" y={NODE.height - 10}>
        {words(node.status)}
      </text>
    </g>
  );
}

function Relations({ around }: { readonly around: Neighbourhood }): ReactNode {
  const { self, parent, dependencies, dependents, children } = around;
  const groups: readonly (readonly [string, readonly IntentNode[]])[] = [
    [WORDS.waitsHold, [self]],
    [WORDS.part, parent === undefined ? [] : [parent]],
    [WORDS.waits, dependencies],
    [WORDS.waitedBy, dependents],
    [WORDS.hasParts, children],
  ];
  return (
    <dl className="app-relations">
      {groups.map(([name, list]) =>
        list.length === 0 ? null : (
          <div key={name}>
            <dt>
              {name}
              {list.length > DRAWN_MAX ? <small> {WORDS.drawn(DRAWN_MAX, list.length)}</small> : null}
            </dt>
            {list.slice(0, SHOWN_MAX).map((node) => (
              <dd key={node.id}>
                <Text>{node.title}</Text> <Badge>{words(node.status)}</Badge>
              </dd>
            ))}
            {list.length > SHOWN_MAX ? <dd>{WORDS.more(list.length - SHOWN_MAX)}</dd> : null}
          </div>
        ),
      )}
    </dl>
  );
}
