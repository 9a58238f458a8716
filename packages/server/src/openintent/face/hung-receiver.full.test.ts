import { it } from "vitest";
import { playHungReceiver } from "../../testing/hung-receiver.ts";

it("10,000 messages for a hung receiver stop nobody else, through a restart and a stop (G13)", async () => {
  await playHungReceiver({ intents: 5, entries: 200 });
}, 120_000);
