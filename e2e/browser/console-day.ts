/** A console with something of everything in it, and the address of each page and state. */

import { ASKS, type Stage } from "./support.ts";

const LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenhersteller";

export async function fillConsole(on: Stage): Promise<Readonly<Record<string, string>>> {
  const post = async (path: string, body: object): Promise<string> => {
    const reply = await on.call("POST", path, body);
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
    return ((await reply.json()) as { id: string }).id;
  };
  await post("/v1/people", { id: "ada", name: "Ada Obi", email: "ada@example.com" });
  await post("/v1/people", { id: "kim", name: `Kim ${LONG}` });
  await post("/v1/teams", { id: "finance", name: "Finance", members: ["ada", "kim"] });
  await post("/v1/keys", { name: `key-of-${LONG}`.slice(0, 60), role: "agent" });
  await post("/v1/webhooks", { url: `https://example.com/${LONG}`, events: ["hold.decided"] });
  for (const ask of Object.values(ASKS)) await on.place(ask);
  const ladder = [{ after: "30m", channel: "email", to: "lead@example.com" }];
  const decision = { approve: [{ need: 2, from: ["person:kim", "person:ada"] }] };
  const context = { tool: "refund", args: { order: LONG, amount: 80, currency: "EUR" }, risk: "high" };
  const voted = await on.place({ ...ASKS.approval, prompt: `Refund ${LONG}?`, context, decision, ladder });
  await on.call("POST", `/v1/holds/${voted.id}/assign`, { to: "kim" });
  await on.call("POST", `/v1/holds/${voted.id}/comments`, { text: `Which one, ${LONG}?` });
  const first = await on.place({ ...ASKS.approval, prompt: "Round one" });
  await on.call("POST", `/v1/holds/${first.id}/answer`, { action: "edit", data: { feedback: "Less" } });
  const second = await on.place({ ...ASKS.approval, prompt: "Round two", previous: first.id });
  const approved = await on.place(ASKS.approval);
  await on.call("POST", `/v1/holds/${approved.id}/answer`, { action: "approve" });
  const { digest } = await on.read(approved.id);
  await on.call("POST", `/v1/holds/${approved.id}/claim`, { digest });
  const cancelled = await on.place(ASKS.approval);
  await on.call("POST", `/v1/holds/${cancelled.id}/cancel`, { reason: "No longer needed" });
  const onIntent = await workflow(on, post);
  return {
    inbox: "/console",
    "inbox by tool": "/console?group=tool",
    "inbox without a match": "/console?q=nothing-like-it",
    "hold with votes": `/console/holds/${voted.id}`,
    "hold in round two": `/console/holds/${second.id}`,
    "hold in a workflow": `/console/holds/${onIntent}`,
    "hold approved": `/console/holds/${approved.id}`,
    "hold cancelled": `/console/holds/${cancelled.id}`,
    overview: "/console/overview",
    history: "/console/history",
    audit: "/console/audit",
    people: "/console/people",
    person: "/console/people/ada",
    rules: "/console/rules",
    channels: "/console/channels",
    settings: "/console/settings",
    playground: "/playground",
    nowhere: "/console/nowhere",
  };
}

/** Three phases, of which two wait for a person. */
async function workflow(on: Stage, post: (path: string, body: object) => Promise<string>): Promise<string> {
  const phase = (name: string, depends_on: readonly string[] = []) =>
    post("/api/v1/intents", { title: name, status: "active", depends_on, state: { _phase_name: name } });
  const check = await phase("Check the invoices");
  const pay = await phase("Pay the suppliers");
  const report = await phase("Write the report", [check, pay]);
  const portfolio = await post("/api/v1/portfolios", { name: "Close the third quarter" });
  for (const intent_id of [check, pay, report])
    await post(`/api/v1/portfolios/${portfolio}/intents`, { intent_id });
  await post(`/api/v1/intents/${pay}/plan`, { tasks: [{ name: "Collect" }, { name: "Transfer" }] });
  await on.place({ ...ASKS.approval, prompt: "Are they right?", intent_id: check });
  return (await on.place({ ...ASKS.approval, prompt: "Pay 12,400.00 EUR?", intent_id: pay })).id;
}
