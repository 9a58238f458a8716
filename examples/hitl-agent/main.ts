/**
 * An agent that wants letters sent. The service may answer that a person must decide; the agent then brings them the link, waits
 * for as long as it takes, and goes on with what they said. It never answers for them.
 *
 *   SERVICE_URL=http://localhost:4201 npm run ts -- examples/hitl-agent/main.ts
 */

import { accessWith, byTerminal, hitlAgent } from "@holdpoint/hitl/agent";

const service = process.env["SERVICE_URL"] ?? "http://localhost:4201";
const headers = { authorization: "Bearer agent-of-ada", "content-type": "application/json" };
const batch = process.env["BATCH"] ?? "letters-1";

const agent = hitlAgent({
  access: accessWith({ credentials: { [service]: headers } }),
  deliver: byTerminal({ print: (text) => console.log(text), ...(process.stdout.isTTY ? {} : { qr: false }) }),
});

const body = JSON.stringify({
  batch,
  letters: [
    { id: "a", to: "Ada Park" },
    { id: "g", to: "Grace Moss" },
  ],
});
const called = await agent.call(() => fetch(`${service}/api/letters`, { method: "POST", headers, body }));

if (called.kind === "response") {
  console.log(`nobody was asked: ${called.response.status} ${await called.response.text()}`);
} else if (called.kind !== "settled") {
  console.log(`nobody could be asked: ${called.kind}`);
} else if (called.decision.kind === "completed" && called.decision.action === "confirm") {
  console.log("confirmed");
  const sent = await fetch(`${service}/api/letters/${batch}/send`, { method: "POST", headers });
  console.log(sent.ok ? `sent: ${JSON.stringify(await sent.json())}` : `not sent: ${sent.status}`);
} else {
  console.log(`not confirmed: ${called.decision.kind}`);
}
