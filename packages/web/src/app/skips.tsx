/** What went on without a person because its request chose so. */

import type { SkipListOut } from "@holdpoint/protocol";
import { Moment, Text } from "@holdpoint/react";
import { type ReactNode, useState } from "react";
import { useApi, useLoaded } from "./hooks.ts";
import { Await, Empty, Pages } from "./parts.tsx";

const WORDS = {
  nothingSkippedHere: "Nothing skipped here",
  whatWent: "What went on",
  whoChoseSo: "Who chose so",
  recordedBy: "Recorded by",
  when: "When",
};

export function Skips({ beat }: { readonly beat: number }): ReactNode {
  const api = useApi();
  const [cursor, setCursor] = useState("");
  const loaded = useLoaded(
    () => api.get<SkipListOut>(`/v1/skips${cursor === "" ? "" : `?cursor=${encodeURIComponent(cursor)}`}`),
    cursor,
    beat,
  );
  return (
    <Await loaded={loaded}>
      {({ skips, next_cursor: next }) =>
        skips.length === 0 ? (
          <Empty title={WORDS.nothingSkippedHere} />
        ) : (
          <>
            <div className="app-table">
              <table>
                <thead>
                  <tr>
                    <th scope="col">{WORDS.whatWent}</th>
                    <th scope="col">{WORDS.whoChoseSo}</th>
                    <th scope="col" className="app-wide">
                      {WORDS.recordedBy}
                    </th>
                    <th scope="col">{WORDS.when}</th>
                  </tr>
                </thead>
                <tbody>
                  {skips.map((skip) => (
                    <tr key={skip.id}>
                      <td>
                        <Text>{skip.what}</Text>
                      </td>
                      <td>
                        <Text>{skip.agent ?? skip.recorded_by}</Text>
                      </td>
                      <td className="app-wide">
                        <Text>{skip.recorded_by}</Text>
                      </td>
                      <td>
                        <Moment at={skip.recorded_at} />
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
  );
}
