import { expect, test } from "vitest";
import { Lookers } from "./lookers.ts";

/** As servers that share a database: what one tells, the other hears. */
function heardBy() {
  let heard: (text: string) => void = () => undefined;
  const hear = (listener: (text: string) => void) => {
    heard = listener;
  };
  const others = { tell: () => undefined, hear };
  const lookers = new Lookers({ now: () => 1_000 }, others);
  return { lookers, tell: (text: string) => heard(text) };
}

test("people who look through another server are named", () => {
  const { lookers, tell } = heardBy();
  tell("default\nhold_1\nkim");
  expect(lookers.look("default", "hold_1", "ada")).toEqual([{ name: "kim", since: 1_000 }]);
});

test("G13: what another program tells is bounded in number and length, and needs all its parts", () => {
  const { lookers, tell } = heardBy();
  for (const text of [
    "",
    "default",
    "default\nhold_1",
    "default\nhold_1\n",
    "\n\nkim",
    "default\nhold_1\nkim\nmore",
  ])
    tell(text);
  tell(`default\nhold_1\n${"k".repeat(2_000)}`);
  expect(lookers.look("default", "hold_1", "ada")).toEqual([]);
  for (let n = 0; n < 10_001; n += 1) tell(`default\nhold_1\nperson-${n}`);
  expect(lookers.look("default", "hold_1", "ada")).toHaveLength(9_999);
});
