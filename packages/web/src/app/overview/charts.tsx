/** Two small charts, drawn as SVG in the page's own colours, each with its numbers as a table behind it. */

import { type ReactNode, useId } from "react";
import { To } from "../parts.tsx";
import { WORDS } from "./words.ts";

export interface Bar {
  readonly label: string;
  readonly value: number;
  /** As people read it: `1,000+`. */
  readonly words: string;
  readonly href?: string;
}

/** Bars that lie: a name, a line as long as the number, the number. It is a table already. */
export function Bars({ title, bars }: { readonly title: string; readonly bars: readonly Bar[] }): ReactNode {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <table className="app-bars">
      <caption>{title}</caption>
      <tbody>
        {bars.map(({ label, value, words, href }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two webhooks at one host have the same name.
          <tr key={`${at} ${label}`}>
            <th scope="row">{href === undefined ? label : <To href={href}>{label}</To>}</th>
            <td aria-hidden="true">
              <svg viewBox="0 0 100 8" preserveAspectRatio="none" focusable="false" aria-hidden="true">
                <rect width={value === 0 ? 0 : Math.max(1, (100 * value) / most)} height="8" rx="2" />
              </svg>
            </td>
            <td>{words}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export interface Hour {
  readonly label: string;
  readonly decided: number;
  readonly expired: number;
  readonly cancelled: number;
}

const KINDS = ["decided", "expired", "cancelled"] as const;
/** Across, the picture is measured in percent: its columns get narrower on a phone, its words do not get smaller. */
const HEIGHT = 140;
const FOOT = 20;

/** What ended, hour by hour, as stacked columns. */
export function Hours({ hours }: { readonly hours: readonly Hour[] }): ReactNode {
  const id = useId();
  const sums = hours.map((hour) => KINDS.reduce((sum, kind) => sum + hour[kind], 0));
  const most = Math.max(1, ...sums);
  const step = 100 / Math.max(1, hours.length);
  const scale = (HEIGHT - FOOT - 10) / most;
  const every = Math.ceil(hours.length / 4);
  const all = sums.reduce((sum, each) => sum + each, 0);
  return (
    <figure className="app-chart">
      <svg width="100%" height={HEIGHT} role="img" aria-labelledby={id}>
        <title id={id}>{`${WORDS.today}: ${all}. ${WORDS.table}:`}</title>
        <line x1="0" x2="100%" y1={HEIGHT - FOOT} y2={HEIGHT - FOOT} className="app-axis" />
        {hours.map((hour, at) => {
          let y = HEIGHT - FOOT;
          return (
            <g key={hour.label + String(at)}>
              {KINDS.map((kind) => {
                const height = hour[kind] * scale;
                y -= height;
                return height === 0 ? null : (
                  <rect
                    key={kind}
                    className={`app-bar-${kind}`}
                    x={`${at * step + step * 0.15}%`}
                    y={y}
                    width={`${step * 0.7}%`}
                    height={height}
                    rx="1.5"
                  />
                );
              })}
              {at % every === 0 ? (
                <text
                  // A word that begins near the right edge would be cut off there.
                  {...(at * step > 80 ? { x: "100%", textAnchor: "end" } : { x: `${at * step}%` })}
                  y={HEIGHT - 5}
                >
                  {hour.label}
                </text>
              ) : null}
            </g>
          );
        })}
      </svg>
      <figcaption>
        <ul className="app-legend">
          {KINDS.map((kind) => (
            <li key={kind} className={`app-key-${kind}`}>
              {WORDS[kind]}
            </li>
          ))}
        </ul>
        <HoursTable hours={hours} />
      </figcaption>
    </figure>
  );
}

function HoursTable({ hours }: { readonly hours: readonly Hour[] }): ReactNode {
  return (
    <details>
      <summary>{WORDS.table}</summary>
      <div className="app-table">
        <table>
          <thead>
            <tr>
              <th scope="col">{WORDS.hour}</th>
              {KINDS.map((kind) => (
                <th key={kind} scope="col">
                  {WORDS[kind]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hours.map((hour, at) => (
              <tr key={hour.label + String(at)}>
                <th scope="row">{hour.label}</th>
                {KINDS.map((kind) => (
                  <td key={kind}>{hour[kind]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
