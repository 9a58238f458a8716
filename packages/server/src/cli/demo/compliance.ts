/** An OpenIntent agent: its intent is suspended until somebody has chosen, and then it continues with that choice. */

import { callAs, type DemoAgent, placedHold } from "./agent.ts";

interface Intent {
  readonly id: string;
  readonly state: { readonly _suspension?: { readonly resolution?: string; readonly response?: unknown } };
}

export const compliance: DemoAgent = {
  name: "compliance workflow",
  speaks: "OpenIntent",
  async ask(kit) {
    const intents = `${kit.url}/api/v1/intents`;
    const agent = { "x-agent-id": "compliance" };
    const intent = await callAs<Intent>(kit, "POST", intents, {
      headers: agent,
      body: { title: "Publish the quarterly report", created_by: "compliance", status: "active" },
    });
    const suspension = {
      id: crypto.randomUUID(),
      question: "Two passages need a decision before the quarterly report goes out.",
      response_type: "choice",
      choices: [
        { value: "publish", label: "Publish as it is", style: "primary" },
        { value: "redact", label: "Publish without both passages" },
        { value: "stop", label: "Do not publish", style: "danger" },
      ],
      context: { passages: ["names a customer on page 4", "a forecast on page 9"], confidence: 0.62 },
      timeout_seconds: 3 * 86_400,
      fallback_policy: "fail",
    };
    await callAs(kit, "POST", `${intents}/${intent.id}/suspend`, { headers: agent, body: suspension });
    const hold = await placedHold(kit, { intentId: intent.id });
    return {
      hold,
      async goOn() {
        await kit.hp.wait(hold.id);
        const { state } = await callAs<Intent>(kit, "GET", `${intents}/${intent.id}`, { headers: agent });
        const { resolution, response } = state._suspension ?? {};
        return resolution === "responded"
          ? `resumed its intent with "${String(response)}"`
          : `gave up: ${resolution ?? "the intent is still suspended"}`;
      },
    };
  },
};
