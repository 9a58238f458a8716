/** Every way to place a hold, each as its own clients do it, and what the asker has in hand afterwards. */

import type { ApprovalGrant, SuspendedProposal } from "@holdpoint/gate";
import {
  allow,
  defineAgent,
  defineTool,
  findActiveApprovalGrant,
  isApprovalRequiredError,
  requireApproval,
  run as runAgent,
  scriptedProvider,
} from "@holdpoint/gate";
import { type ConnectedApprovals, connectApprovals } from "@holdpoint/gate/host";
import { type Conversation, handled, proxied } from "./conversation.ts";
import {
  type KeyName,
  LADDER,
  MAIL_AFTER_MS,
  READER,
  TIMEOUT,
  TIMEOUT_MS,
  type Wire,
  type World,
} from "./world.ts";

/** The same yes in the words of whoever is asked. */
export interface Yes {
  readonly action: string;
  /** What the button on a page is called. */
  readonly button: string;
  /** What OpenIntent calls it. */
  readonly value: string;
}

export interface Placed {
  readonly holdId: string;
  readonly prompt: string;
  /** Who watches it. */
  readonly key: KeyName;
  readonly yes: Yes;
  readonly intent?: { readonly id: string; readonly suspensionId: string };
  readonly conversation?: Conversation;
  readonly proposal?: { readonly hash: string; readonly host: ConnectedApprovals };
  readonly inline?: { readonly url: string; readonly token: string };
  /** Told of the end at this path of the receiver, besides the webhook of the workspace. */
  readonly callbackPath?: string;
}

const APPROVE: Yes = { action: "approve", button: "Approve", value: "approve" };

let count = 0;
/** A question that no other cell asks. */
function question(): { readonly n: number; readonly prompt: string } {
  count += 1;
  return { n: count, prompt: `Refund order ${count}?` };
}

export const PLACEMENTS = {
  "native REST": async ({ placing, receiver }: World): Promise<Placed> => {
    const { n, prompt } = question();
    const callbackPath = `/callback/${n}`;
    const callback_url = receiver.url(callbackPath);
    const ask = { type: "approval", prompt, timeout: TIMEOUT, ladder: LADDER, callback_url };
    const { body } = await placing.call("POST", "/v1/holds", "agent", ask);
    return { holdId: body.id, prompt, key: "agent", yes: APPROVE, callbackPath };
  },

  SDK: async ({ placing, receiver }: World): Promise<Placed> => {
    const { n, prompt } = question();
    const callbackPath = `/callback/${n}`;
    const { id: holdId } = await placing.client("agent").place({
      ...{ type: "approval", prompt, timeout: TIMEOUT, ladder: LADDER },
      callbackUrl: receiver.url(callbackPath),
    });
    return { holdId, prompt, key: "agent", yes: APPROVE, callbackPath };
  },

  "OpenIntent suspend": async (world: World): Promise<Placed> => {
    const { n, prompt } = question();
    const { id, callbackPath } = await subscribedIntent(world, n);
    const { placing } = world;
    const retry_policy = {
      max_attempts: 3,
      interval_seconds: MAIL_AFTER_MS / 1000,
      escalation_ladder: [{ attempt: 2, channel_hint: "mail", notify_to: READER }],
    };
    await must(
      placing.call("POST", `/api/v1/intents/${id}/suspend`, "agent", {
        ...{ id: "s1", question: prompt, response_type: "confirm", choices: [], context: {} },
        ...{ timeout_seconds: TIMEOUT_MS / 1000, fallback_policy: "fail", retry_policy },
      }),
    );
    const yes = { action: "confirm", button: "Confirm: Yes", value: "yes" };
    const holdId = await holdOn(world, id);
    const intent = { id, suspensionId: "s1" };
    return { holdId, prompt, key: "agent", yes, intent, callbackPath };
  },

  "native on an intent": async (world: World): Promise<Placed> => {
    const { n, prompt } = question();
    const { id, callbackPath } = await subscribedIntent(world, n);
    const ask = { type: "approval", prompt, timeout: TIMEOUT, ladder: LADDER, intent_id: id };
    const { body } = await must(world.placing.call("POST", "/v1/holds", "agent", ask));
    const { body: found } = await world.placing.call("GET", `/api/v1/intents/${id}`, "agent");
    const intent = { id, suspensionId: found.state._suspension.id };
    return { holdId: body.id, prompt, key: "agent", yes: APPROVE, intent, callbackPath };
  },

  "HITL case": async ({ placing, receiver, clock }: World): Promise<Placed> => {
    const { n, prompt } = question();
    const callbackPath = `/callback/${n}`;
    // It cannot say whom to remind: whoever the operator put on the channel.
    const reminder_at = new Date(clock.now() + MAIL_AFTER_MS).toISOString();
    const times = { timeout: TIMEOUT, reminder_at, default_action: "abort" };
    const ask = { type: "approval", prompt, inline: true, ...times };
    const { body } = await must(
      placing.call("POST", "/hitl/v1/cases", "agent", {
        ...ask,
        hitl_callback_url: receiver.url(callbackPath),
      }),
    );
    const { case_id, submit_url: url, submit_token: token } = body.hitl;
    const holdId = `hold_${case_id.slice("review_".length)}`;
    return { holdId, prompt, key: "agent", yes: APPROVE, inline: { url, token }, callbackPath };
  },

  "AG-UI interrupt by handler": async (world: World): Promise<Placed> => {
    const { n, prompt } = question();
    const talk = await handled(world, `thread-${n}`, prompt, LADDER);
    return { holdId: talk.holdId, prompt, key: "app", yes: APPROVE, conversation: talk };
  },

  "AG-UI interrupt by proxy": async (world: World): Promise<Placed> => {
    const { n, prompt } = question();
    const talk = await proxied(world, `proxied-${n}`, prompt);
    return { holdId: talk.holdId, prompt, key: "operator", yes: APPROVE, conversation: talk };
  },

  "gate proposal": async (world: World): Promise<Placed> => {
    const { n, prompt } = question();
    const host = connectApprovals(
      {
        scope: "matrix",
        review: { refund: { effect: () => prompt } },
        now: () => world.clock.now(),
        timeout: TIMEOUT,
        ladder: LADDER,
      },
      world.placing.client("agent"),
    );
    const { proposalHash: hash } = await proposed(host, n);
    const ticket = await host.find(hash);
    if (ticket === null) throw new Error("nobody was asked");
    return { holdId: ticket.id, prompt, key: "agent", yes: APPROVE, proposal: { hash, host } };
  },
} as const satisfies Readonly<Record<string, (world: World) => Promise<Placed>>>;

export type PlacementName = keyof typeof PLACEMENTS;

async function must(call: Promise<{ readonly status: number; readonly body: Wire }>) {
  const reply = await call;
  if (reply.status >= 300) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
  return reply;
}

/** An intent that somebody has subscribed to. */
async function subscribedIntent({ placing, receiver }: World, n: number) {
  const callbackPath = `/subscription/${n}`;
  const { body: intent } = await must(
    placing.call("POST", "/api/v1/intents", "agent", { title: `Refund ${n}`, status: "active" }),
  );
  await must(
    placing.call("POST", "/api/v1/subscriptions", "agent", {
      intent_id: intent.id,
      subscriber_id: "watcher",
      event_types: ["intent.resumed", "intent.suspension_expired", "status_changed"],
      webhook_url: receiver.url(callbackPath),
    }),
  );
  return { id: intent.id as string, callbackPath };
}

async function holdOn({ placing }: World, intentId: string): Promise<string> {
  const { body } = await placing.call("GET", `/v1/holds?intent_id=${intentId}`, "agent");
  return body.holds[0].id;
}

/** An agent that wants to use a tool its policy does not let it use by itself. */
async function proposed(host: ConnectedApprovals, n: number): Promise<SuspendedProposal> {
  const refund = defineTool({ name: "refund", parameters: { type: "object" }, execute: () => "done" });
  const agent = defineAgent<{ grants: readonly ApprovalGrant[] }>({
    name: "Refunds",
    model: "none",
    tools: [refund],
  });
  const call = { type: "tool_call", callId: "c1", name: "refund", arguments: `{"order":${n}}` } as const;
  return runAgent(agent, "Refund it", {
    provider: scriptedProvider([[call], [{ type: "completed" }]]),
    context: { grants: [] },
    policies: {
      toolPolicy: ({ proposalHash, runContext }) =>
        findActiveApprovalGrant(proposalHash, runContext.context.grants) === null
          ? requireApproval("needs_a_person")
          : allow("approved"),
    },
    onSuspended: host.onSuspended,
    fence: host.fence,
  }).then(
    () => Promise.reject(new Error("it was not blocked")),
    (error: unknown) => (isApprovalRequiredError(error) ? error.suspendedProposal : Promise.reject(error)),
  );
}
