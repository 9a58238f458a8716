/** Every tool that an agent was seen to call, and what no rule is about. */

import type { CoverageOut } from "@holdpoint/protocol";
import { Moment, Text } from "@holdpoint/react";
import { type ReactNode, useState } from "react";
import { useApi, useLoaded } from "../hooks.ts";
import { Await, Badge, Empty, Pages } from "../parts.tsx";

export function Coverage({ beat }: { readonly beat: number }): ReactNode {
  const api = useApi();
  const [cursor, setCursor] = useState("");
  const query = cursor === "" ? "" : `?cursor=${encodeURIComponent(cursor)}`;
  const loaded = useLoaded(() => api.get<CoverageOut>(`/v1/coverage${query}`), cursor, beat);
  return (
    <section className="app-panel">
      <h2>Coverage</h2>
      <Await loaded={loaded}>
        {({ tools, next_cursor: next }) =>
          tools.length === 0 ? (
            <Empty title="No calls were checked yet" />
          ) : (
            <>
              <div className="app-table app-coverage">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Agent</th>
                      <th scope="col">Tool</th>
                      <th scope="col" className="app-wide">
                        Calls
                      </th>
                      <th scope="col" className="app-wide">
                        Allowed · asked · denied
                      </th>
                      <th scope="col">Rule</th>
                      <th scope="col" className="app-wide">
                        Last seen
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
                          {tool.granted === 0 ? null : ` (${tool.granted} by grants)`}
                        </td>
                        <td>{tool.gated ? "yes" : <Badge>nothing gates it</Badge>}</td>
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
