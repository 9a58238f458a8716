/** An assistant inside an app: its AG-UI run ends with an interrupt, and the next run resumes it. */

import { interruptAnswerOf } from "@holdpoint/protocol/agui";
import { createAgUiHandler } from "@holdpoint/protocol/agui/runtime";
import { sseParser } from "@holdpoint/protocol/http";
import { type DemoAgent, placedHold } from "./agent.ts";

export const assistant: DemoAgent = {
  name: "in-app assistant",
  speaks: "AG-UI",
  async ask(kit) {
    const threadId = `demo-${kit.run}`;
    const handler = createAgUiHandler({
      holdpoint: kit.hp,
      identify: () => ({ id: "you", name: "You" }),
      async *agent(run) {
        yield "I can move the meeting.";
        const { kind } = await run.tool({
          name: "move_meeting",
          args: { meeting: "Budget review", to: "Thursday 15:00", attendees: 12 },
          editable: {
            type: "object",
            properties: {
              meeting: { type: "string" },
              to: { type: "string" },
              attendees: { type: "number" },
            },
          },
          approval: { message: "Move the budget review of twelve people to Thursday 15:00?", timeout: "1d" },
          execute: ({ to }) => `moved to ${String(to)}`,
        });
        return { kind };
      },
    });
    let runs = 0;
    const post = async (more: object) => {
      runs += 1;
      const body = { threadId, runId: `${threadId}-${runs}`, protocolVersion: "1.0", messages: [], ...more };
      const headers = { "content-type": "application/json" };
      const request = { method: "POST", headers, body: JSON.stringify(body) };
      const reply = await handler(new Request("http://app.localhost/agent", request));
      return JSON.parse(
        sseParser()
          .push(await reply.text())
          .at(-1)?.data ?? "{}",
      );
    };
    const asked = await post({});
    const [interrupt] = asked.outcome.interrupts as readonly { readonly id: string }[];
    const hold = await placedHold(kit, { threadId });
    return {
      hold,
      async goOn() {
        const answer = interruptAnswerOf(await kit.hp.wait(hold.id));
        const entry = { interruptId: interrupt?.id, status: answer?.status ?? "cancelled" };
        const payload = answer?.status === "resolved" ? { payload: answer.payload } : {};
        const { result } = await post({ resume: [{ ...entry, ...payload }] });
        return `resumed its run: the call was ${result?.kind ?? "not made"}`;
      },
    };
  },
};
