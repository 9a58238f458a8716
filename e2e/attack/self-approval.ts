/**
 * The asker tries every way to decide its own question (G7), under every setting of `agent_links`. What only a named person may answer
 * must stay open. Any other question may be answered by a link that the operator lets the asker have, and then the outcome says so.
 */

import type { AgentLinks } from "../../packages/server/src/kernel/platform.ts";
import type { TestServer } from "../../packages/server/src/testing/test-server.ts";
import { attacked, type Found } from "./attacked.ts";

const SETTINGS = ["never", "hitl", "always"] as const satisfies readonly AgentLinks[];
const ADA = "ada";
const TAPPED = {
  submitted_via: "telegram_inline_button",
  submitted_by: { platform: "telegram", platform_user_id: "4711", display_name: "Ada" },
};

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the wire carries.
type Wire = any;

/** Asks, tries, and says which hold it was about. */
type Road = (test: TestServer, more: object) => Promise<string | undefined>;

const post = async (test: TestServer, path: string, key: string | undefined, body: unknown, headers = {}) =>
  (await test.call("POST", path, { ...(key === undefined ? {} : { key }), body, headers })).body as Wire;

const caseOf = (id: string) => `review_${id.slice("hold_".length)}`;
const tokenOf = (url: unknown) =>
  typeof url === "string" && URL.canParse(url) ? new URL(url).searchParams.get("token") : null;

/** Every address that takes a token, with every name that an answer can claim. */
async function useToken(test: TestServer, id: string, token: string | null | undefined): Promise<void> {
  if (typeof token !== "string") return;
  const at = caseOf(id);
  const answer = { action: "approve" };
  await post(test, `/reviews/${at}/respond?token=${token}`, undefined, answer);
  await post(test, `/reviews/${at}/respond`, token, { ...answer, ...TAPPED });
  await post(test, `/reviews/${at}/submit`, token, { ...answer, ...TAPPED });
  await post(test, `/v1/holds/${id}/answer`, token, { ...answer, claimed: { id: ADA } });
  const form = { "content-type": "application/x-www-form-urlencoded" };
  await post(test, `/review/${at}/answer?token=${token}`, undefined, "_action=approve", form);
}

async function place(test: TestServer, key: string, more: object): Promise<Wire> {
  const ask = { type: "approval", prompt: "Go?" };
  const hold = await post(test, "/v1/holds", key, { ...ask, links: "agent", ...more });
  return hold.id === undefined ? undefined : hold;
}

const ROADS: Readonly<Record<string, Road>> = {
  async "its own key"(test, more) {
    const { agent, anyAgent } = test.keys;
    const hold = await place(test, agent, more);
    const path = `/v1/holds/${hold.id}/answer`;
    for (const body of [{ action: "approve" }, { action: "approve", claimed: { id: ADA, name: "Ada" } }])
      await post(test, path, agent, body);
    for (const name of [ADA, "refunder", "shop", "dev"])
      await post(test, path, anyAgent, { action: "approve" }, { "x-agent-id": name });
    return hold.id;
  },

  async "links that it is given or makes"(test, more) {
    const hold = await place(test, test.keys.agent, more);
    await useToken(test, hold.id, tokenOf(hold.review_url));
    for (const link of [{}, { to: ADA }, { purpose: "submit", to: ADA }, { purpose: "submit" }]) {
      const made = await post(test, `/v1/holds/${hold.id}/links`, test.keys.agent, link);
      await useToken(test, hold.id, made.token ?? tokenOf(made.url));
    }
    return hold.id;
  },

  async "a case of the HITL Protocol"(test, more) {
    const body = { type: "approval", prompt: "Go?", inline: true, ...more };
    const { hitl } = await post(test, "/hitl/v1/cases", test.keys.agent, body);
    if (hitl === undefined) return undefined;
    const id = `hold_${String(hitl.case_id).slice("review_".length)}`;
    for (const token of [tokenOf(hitl.review_url), hitl.submit_token]) await useToken(test, id, token);
    return id;
  },

  async "a group and the same question again"(test, more) {
    const ask = { type: "approval", prompt: "Go?", links: "agent", key: "again", ...more };
    const group = await post(test, "/v1/groups", test.keys.agent, { holds: [ask] });
    const [hold] = group.holds ?? [];
    if (hold === undefined) return undefined;
    const again = await post(test, "/v1/holds", test.keys.agent, ask);
    for (const { review_url } of [hold, again]) await useToken(test, hold.id, tokenOf(review_url));
    return hold.id;
  },

  async "a page of the app that asks"(test, more) {
    if (!("answerers" in more)) return undefined;
    const hold = await place(test, test.keys.app, more);
    const { token } = await post(test, "/v1/browser-tokens", test.keys.app, {
      person: ADA,
      hold_id: hold.id,
    });
    await useToken(test, hold.id, token);
    const claimed = { id: ADA, name: "Ada" };
    await post(test, `/v1/holds/${hold.id}/answer`, test.keys.app, { action: "approve", claimed });
    return hold.id;
  },

  async "a suspended intent"(test) {
    const { agent, anyAgent, operator } = test.keys;
    const intent = await post(test, "/api/v1/intents", agent, { title: "Refund", status: "active" });
    const at = `/api/v1/intents/${intent.id}`;
    await post(test, `${at}/suspend`, agent, { id: "s1", question: "Go?", response_type: "confirm" });
    const answer = { suspension_id: "s1", value: "yes", responded_by: ADA };
    await post(test, `${at}/suspend/respond`, agent, answer);
    for (const name of [ADA, "refunder"])
      await post(test, `${at}/suspend/respond`, anyAgent, answer, { "x-agent-id": name });
    const { body } = await test.call("GET", `/v1/holds?intent_id=${intent.id}`, { key: operator });
    return body.holds[0]?.id;
  },

  async "a tool call before the rules"(test) {
    const { admin, agent } = test.keys;
    const rules = [{ tools: ["pay"], verdict: "ask", grantable: true }];
    await test.call("PUT", "/v1/rules", { key: admin, body: { rules } });
    const call = { tool: "pay", args: { amount: 1 } };
    const { hold } = await post(test, "/v1/checks", agent, call);
    for (const link of [{ purpose: "submit", to: ADA }, { purpose: "submit" }, {}]) {
      const made = await post(test, `/v1/holds/${hold.id}/links`, agent, link);
      await useToken(test, hold.id, made.token ?? tokenOf(made.url));
    }
    const grant = { for: "1h" };
    await post(test, `/v1/holds/${hold.id}/answer`, agent, { action: "approve", grant });
    const again = await post(test, "/v1/checks", agent, call);
    if (again.verdict === "allow") throw new Error("the agent allowed its own tool call");
    return hold.id;
  },
};

/** With a link that the operator allows, these decide. If they did not, nothing would have been tried. */
const WAYS_BY_LINK: ReadonlySet<string> = new Set([
  "links that it is given or makes",
  "a case of the HITL Protocol",
  "a group and the same question again",
]);

/** What is wrong with how the hold ended, as the operator reads it. */
async function wrongEnd(
  test: TestServer,
  id: string,
  { mayDecide, mustDecide }: { readonly mayDecide: boolean; readonly mustDecide: boolean },
): Promise<string | undefined> {
  const { outcome } = (await test.call("GET", `/v1/holds/${id}`, { key: test.keys.operator })).body as Wire;
  if (outcome === undefined)
    return mustDecide ? "the link that it was allowed does not answer, so nothing was tried" : undefined;
  if (!mayDecide) return "it decided what only others may decide";
  if (outcome.by?.name !== undefined || outcome.by?.claimed !== undefined)
    return `it answered in the name of ${outcome.by.name ?? outcome.by.claimed.id}`;
  return outcome.by?.given_to === "asker" ? undefined : "the outcome hides that the asker had the link";
}

export async function selfApproval(): Promise<Found> {
  const wrong: string[] = [];
  let tried = 0;
  for (const agentLinks of SETTINGS) {
    for (const [road, take] of Object.entries(ROADS)) {
      for (const more of [{}, { answerers: [ADA] }]) {
        await using test = await attacked({ platform: { agentLinks } });
        const id = await take(test, more).catch((fault: Error) => {
          wrong.push(`${road}: ${fault.message}`);
          return undefined;
        });
        tried += 1;
        if (id === undefined) continue;
        const isOpen = !("answerers" in more);
        const found = await wrongEnd(test, id, {
          mayDecide: isOpen && agentLinks !== "never",
          mustDecide: isOpen && agentLinks === "always" && WAYS_BY_LINK.has(road),
        });
        if (found !== undefined) wrong.push(`agent_links: ${agentLinks}, by ${road}: ${found}`);
      }
    }
  }
  return { tried, wrong };
}
