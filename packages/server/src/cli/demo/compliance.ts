/** An OpenIntent agent: its intent is suspended until somebody has chosen, and then completed with that choice. */

import { isInputTimeoutError, OpenIntentAgent } from "@holdpoint/openintent";
import { type DemoAgent, openHold } from "./agent.ts";

export const compliance: DemoAgent = {
  name: "compliance workflow",
  speaks: "OpenIntent",
  async ask(kit) {
    const { promise: suspended, resolve: isSuspended } = Promise.withResolvers<void>();
    const agent = new OpenIntentAgent({
      url: kit.url,
      apiKey: kit.key,
      agentId: "compliance",
      hooks: { onInputRequested: () => isSuspended() },
    });
    const intent = await agent.client.createIntent({
      title: "Publish the quarterly report",
      status: "active",
    });
    const answer = agent.requestInput(intent.id, {
      question: "Two passages need a decision before the quarterly report goes out.",
      choices: [
        { value: "publish", label: "Publish as it is", style: "primary" },
        { value: "redact", label: "Publish without both passages" },
        { value: "stop", label: "Do not publish", style: "danger" },
      ],
      context: { passages: ["names a customer on page 4", "a forecast on page 9"], confidence: 0.62 },
      timeoutSeconds: 3 * 86_400,
    });
    // goOn() handles a rejection. Here it only ends the wait for the suspension.
    answer.catch(() => isSuspended());
    await suspended;
    return {
      hold: await openHold(kit, { intentId: intent.id }),
      async goOn() {
        try {
          const chosen = await answer;
          return `resumed its intent with "${String(chosen)}"`;
        } catch (error) {
          if (isInputTimeoutError(error)) return "gave up: nobody answered";
          throw error;
        }
      },
    };
  },
};
