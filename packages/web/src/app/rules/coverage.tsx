/** Every tool that an agent was seen to call, and what no rule is about. */

import type { CoverageOut } from "@holdpoint/protocol";
import { Moment, Text } from "@holdpoint/react";
import { type ReactNode, useState } from "react";
import { useApi, useLoaded } from "../hooks.ts";
import { Await, Badge, Empty, Pages } from "../parts.tsx";

const WORDS = {
  coverage: "Coverage",
  noCallsWere: "No calls were checked yet",
  agent: "Agent",
  tool: "Tool",
  calls: "Calls",
  allowedAskedDenied: "Allowed · asked · denied",
  rule: "Rule",
  lastSeen: "Last seen",
  byGrants: (granted: string | number) => ` (${granted} by grants)`,
  yes: "yes",
  nothingGates: "nothing gates it",
};

export function Coverage({ beat }: { readonly beat: number }): ReactNode {
  const api = useApi();
  const [cursor, setCursor] = useState("");
  const query = cursor === "" ? "" : `?cursor=${encodeURIComponent(cursor)}`;
  const loaded = useLoaded(() => api.get<CoverageOut>(`/v1/coverage${query}`), cursor, beat);
  return (
    <section className="app-panel">
      <h2>{WORDS.coverage}</h2>
      <Await loaded={loaded}>
        {({ tools, next_cursor: next }) =>
          tools.length === 0 ? (
            <Empty title={WORDS.noCallsWere} />
          ) : (
            <>
              <div className="app-table app-coverage">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">{WORDS.agent}</th>
                      <th scope="col">{WORDS.tool}</th>
                      <th scope="col" className="app-wide">
                        {WORDS.calls}
                      </th>
                      <th scope="col" className="app-wide">
                        {WORDS.allowedAskedDenied}
                      </th>
                      <th scope="col">{WORDS.rule}</th>
                      <th scope="col" className="app-wide">
                        {WORDS.lastSeen}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {tools.map((tool) => (
                      <tr key={`${tool.agent} ${tool.tool}`}>
                        <td>
                          <Text>{tool.agent}</Text>
                        </td>
                        <td>
                          <Text>{tool.tool}</Text>
                        </td>
                        <td className="app-wide">{tool.calls}</td>
                        <td className="app-wide">
                          {tool.allow} · {tool.ask} · {tool.deny}
                          {tool.granted === 0 ? null : WORDS.byGrants(tool.granted)}
                        </td>
                        <td>{tool.gated ? WORDS.yes : <Badge>{WORDS.nothingGates}</Badge>}</td>
                        <td className="app-wide">
                          <Moment at={tool.last_at} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              <Pages cursor={cursor} next={next} go={setCursor} />
            </>
          )
        }
      </Await>
    </section>
  );
}
