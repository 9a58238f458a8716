/** Marked holds side by side: what is the same in all, and what differs. */

import type { Hold } from "@holdpoint/protocol/client";
import { Text } from "@holdpoint/react";
import { type ReactNode, useEffect, useRef } from "react";
import { Prompt, To } from "../parts.tsx";
import { linesOf } from "./facts.ts";
import { WORDS } from "./words.ts";

const COMPARED_MAX = 6;

export function Compare({
  holds,
  onClose,
}: {
  readonly holds: readonly Hold[];
  readonly onClose: () => void;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const shown = holds.slice(0, COMPARED_MAX);
  const lines = shown.map(({ context }) => linesOf(context));
  const names = [...new Set(lines.flatMap((each) => [...each.keys()]))];
  return (
    <dialog ref={dialog} className="app-dialog app-compare" aria-labelledby="compare-title" onClose={onClose}>
      <h2 id="compare-title">{WORDS.compare.title}</h2>
      {holds.length > shown.length ? (
        <p className="hp-notice">{WORDS.compare.first(shown.length, holds.length)}</p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than the screen is scrolled by keyboard too. */}
      <section className="app-table" tabIndex={0} aria-label={WORDS.compare.title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{WORDS.compare.field}</th>
              {shown.map((hold) => (
                <th key={hold.id} scope="col">
                  <To href={`/console/holds/${hold.id}`}>
                    <Prompt of={hold.prompt} />
                  </To>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {names.map((name) => {
              const values = lines.map((each) => each.get(name) ?? "");
              const isSame = new Set(values).size === 1;
              return (
                <tr key={name} className={isSame ? "app-same" : "app-differs"}>
                  <th scope="row">
                    <Text>{name}</Text>
                  </th>
                  {values.map((value, at) => (
                    <td key={shown[at]?.id}>
                      {isSame ? (
                        <Text>{value}</Text>
                      ) : (
                        <mark>
                          <Text>{value}</Text>
                        </mark>
                      )}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      <button type="button" className="app-button" onClick={() => dialog.current?.close()}>
        {WORDS.compare.close}
      </button>
    </dialog>
  );
}
