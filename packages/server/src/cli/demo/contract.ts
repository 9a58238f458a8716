/** A service that replies 202 with a review link, and an agent that polls the link: both sides of the HITL Protocol. */

import { holdIdOf } from "@holdpoint/protocol/hitl/case";
import { callAs, type DemoAgent } from "./agent.ts";
import { CONTRACT_FORM } from "./holds.ts";

interface Reply202 {
  readonly hitl: { readonly case_id: string; readonly poll_url: string };
}

interface PollReply {
  readonly status: string;
}

export const contract: DemoAgent = {
  name: "contract service",
  speaks: "HITL Protocol",
  async ask(kit) {
    const body = {
      type: "input",
      prompt: "The contract for Nordlicht GmbH needs a few facts.",
      context: { form: CONTRACT_FORM },
      timeout: "3d",
    };
    const { hitl } = await callAs<Reply202>(kit, "POST", `${kit.url}/hitl/v1/cases`, { body });
    const hold = await kit.hp.get(holdIdOf(hitl.case_id));
    return {
      hold,
      async goOn() {
        await kit.hp.wait(hold.id);
        const { status } = await callAs<PollReply>(kit, "GET", hitl.poll_url);
        return status === "completed"
          ? "followed its 202 to the result and drew up the contract"
          : `drew up no contract: ${status}`;
      },
    };
  },
};
