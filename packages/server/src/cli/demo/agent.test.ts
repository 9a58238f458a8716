import { expect, it } from "vitest";
import { type DemoKit, placedHold } from "./agent.ts";

const kitWith = (...holds: readonly { readonly id: string; readonly status: string }[]) =>
  ({ hp: { list: async () => ({ holds }) } }) as unknown as DemoKit;
const thread = { threadId: "thread_1" };

it("an agent of the demo finds its hold although somebody has answered it already", async () => {
  const answered = { id: "hold_1", status: "decided" };
  expect(await placedHold(kitWith(answered), thread)).toBe(answered);
  const open = { id: "hold_2", status: "open" };
  expect(await placedHold(kitWith(answered, open), thread)).toBe(open);
  await expect(placedHold(kitWith(), thread)).rejects.toThrow("the demo agent placed no hold");
});
