import { expect, it } from "vitest";
import { eventStream } from "./stream.ts";

it("A3 a stream that fails ends its run and stops its heartbeat", async () => {
  let [isClosed, beats, isGone] = [false, 0, false];
  async function* events() {
    try {
      yield { type: "CUSTOM", value: 10n };
    } finally {
      isClosed = true;
    }
  }
  const after = () => {
    beats += 1;
    return () => {
      beats -= 1;
    };
  };
  const reply = eventStream(events(), { after }, () => {
    isGone = true;
  });
  await expect(reply.text()).rejects.toThrow("BigInt");
  expect({ isClosed, beats, isGone }).toEqual({ isClosed: true, beats: 0, isGone: true });
});
