/** A web service that replies 202 with a review link, and an agent that follows it: both sides of the HITL Protocol. */

import type { AddressInfo } from "node:net";
import { accessWith, hitlAgent } from "@holdpoint/hitl/agent";
import { hitlService } from "@holdpoint/hitl/service";
import { createAdaptorServer } from "@hono/node-server";
import type { DemoAgent, DemoKit } from "./agent.ts";
import { CONTRACT_FORM } from "./holds.ts";

const PROMPT = "The contract for Nordlicht GmbH needs a few facts.";

export const contract: DemoAgent = {
  name: "contract service",
  speaks: "HITL Protocol",
  async ask(kit) {
    const service = await serveContracts(kit);
    const { promise: placed, resolve: isPlaced } = Promise.withResolvers<string>();
    const agent = hitlAgent({
      access: accessWith(),
      deliver: async () => undefined,
    });
    const called = agent.call(() => fetch(`${service.url}/contracts`, { method: "POST" }), {
      onReview: ({ caseId }) => isPlaced(caseId),
    });
    const caseId = await Promise.race([
      placed,
      called.then(() =>
        Promise.reject(new Error("the contract service replied without asking for a review")),
      ),
    ]);
    return {
      hold: await kit.hp.get(caseId.replace("review_", "hold_")),
      async goOn() {
        try {
          const settled = await called;
          const decision = settled.kind === "settled" ? settled.decision : undefined;
          return decision?.kind === "completed"
            ? "followed its 202 to the result and drew up the contract"
            : `drew up no contract: ${decision?.kind ?? settled.kind}`;
        } finally {
          service.close();
        }
      },
    };
  },
};

async function serveContracts(kit: DemoKit) {
  let serve: (request: Request) => Promise<Response> = async () => new Response(null, { status: 503 });
  const http = createAdaptorServer({ fetch: (request) => serve(request) });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", () => resolve()));
  const url = `http://localhost:${(http.address() as AddressInfo).port}`;
  const hitl = hitlService(
    { baseUrl: url, name: "Contracts", description: "Draws up contracts.", types: ["input"] },
    { holds: kit.hp, holdpoint: { url: kit.url }, identify: () => "contract-agent" },
  );
  serve = async (request) => {
    const known = await hitl.handle(request);
    if (known !== undefined) return known;
    const ask = {
      type: "input",
      prompt: PROMPT,
      form: CONTRACT_FORM,
      key: `demo:${kit.run}`,
      timeout: "3d",
    } as const;
    return hitl.requireHuman(request, ask);
  };
  return { url, close: () => http.close() };
}
