import { expect, test } from "vitest";
import { telegramStage } from "../../testing/chat/stage.ts";

test("a press on Approve decides the hold in the presser's name, and the message closes", async () => {
  await using stage = await telegramStage();
  const id = await stage.place({ context: { order: "o-1" } });
  const message = await stage.nth(1);
  expect(message.text).toContain("Refund 40 EUR?");
  expect(message.text).toContain("order: o-1");
  expect(await stage.press(stage.ada, message, "Approve")).toBe("Approved.");
  expect(await stage.closed(message)).toContain("Approved by Ada Lovelace.");
  expect(await stage.hold(id)).toMatchObject({
    status: "decided",
    outcome: {
      action: "approve",
      door: "channel",
      by: { kind: "channel", id: `telegram/${stage.group.id}`, name: "ada" },
    },
  });
});
