/**
 * A mail service that sends no letters before a person has said so. Its API is its own; what agents and people need for the
 * question lives under the same address, and Holdpoint keeps it.
 *
 *   npm start  # a Holdpoint server, in one terminal
 *   npm run ts -- examples/hitl-express/main.ts
 *   npm run ts -- examples/hitl-agent/main.ts
 */

import type { AddressInfo } from "node:net";
import { caseKey, expressHitl, hitlService, sendResponse, toRequest } from "@holdpoint/hitl/service";
import { Holdpoint } from "@holdpoint/sdk";
import express from "express";

/** Who may call this service; a real one has a table of keys. */
const AGENTS: ReadonlyMap<string, string> = new Map([["Bearer agent-of-ada", "ada-assistant"]]);

const app = express();
const listening = app.listen(Number(process.env["PORT"] ?? 4201), "127.0.0.1", () => {
  const { port } = listening.address() as AddressInfo;
  serveLetters(`http://localhost:${port}`);
  console.log(`letters are sent at http://localhost:${port}`);
});

function serveLetters(baseUrl: string): void {
  // HOLDPOINT_URL and HOLDPOINT_API_KEY, or the credentials of the server on this machine.
  const holds = new Holdpoint();
  const hitl = hitlService(
    {
      baseUrl,
      name: "Letters",
      description: "Sends letters for people.",
      types: ["confirmation"],
      inline: true,
    },
    {
      holds,
      holdpoint: { url: process.env["HOLDPOINT_URL"] ?? "http://localhost:4100" },
      identify: (request) => AGENTS.get(request.headers.get("authorization") ?? ""),
    },
  );
  app.use(expressHitl(hitl));
  app.use(express.json());

  app.post("/api/letters", async (req, res) => {
    const letters: readonly { readonly id: string; readonly to: string }[] = req.body.letters;
    const asked = await hitl.requireHuman(toRequest(req, baseUrl), {
      type: "confirmation",
      prompt: `Send ${letters.length} letters?`,
      context: {
        description: "A letter that has been sent cannot be taken back.",
        items: letters.map(({ id, to }) => ({ id, label: `To ${to}` })),
      },
      timeout: "12h",
      defaultAction: "abort",
      inline: true,
      key: req.body.batch, // the same batch is the same question
    });
    await sendResponse(asked, res);
  });

  // The answer is with Holdpoint. It executes nothing: the agent comes back, and the service looks for itself.
  app.post("/api/letters/:batch/send", async (req, res) => {
    const agent = AGENTS.get(req.headers.authorization ?? "");
    if (agent === undefined) {
      res.status(401).json({ error: "send your credentials" });
      return;
    }
    const hold = await holds.find({ key: await caseKey(agent, req.params.batch) });
    const outcome = await hold?.outcome();
    if (hold === null || outcome?.kind !== "decided" || outcome.action !== "confirm") {
      res.status(409).json({ error: "nobody has confirmed this batch" });
      return;
    }
    // Letters go out once. Whoever calls again gets the recorded result.
    res.json(await hold.runOnce(({ data }) => sendLetters(data["confirmedItems"], data["note"])));
  });
}

/** Stands for the post office. `ids`: the letters that were confirmed; absent: all of them. */
function sendLetters(ids: unknown, note: unknown) {
  return { sent: true, letters: ids ?? "all", at: new Date().toISOString(), note };
}
