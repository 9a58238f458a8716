/** Holds of every kind in every state, as the components meet them. */

import type { Hold } from "@holdpoint/protocol/client";
import { type Ask, actionsOf } from "@holdpoint/protocol/rules";

const PLACED = "2026-03-01T09:00:00.000Z";
export const SAMPLE_NOW = Date.parse("2026-03-01T09:12:00.000Z");

function sample(ask: Ask, more: Partial<Hold> = {}): Hold {
  return {
    id: "hold_sample",
    caseId: "review_sample",
    status: "open",
    ...ask,
    actions: actionsOf(ask).map((action) => ({ ...action, label: action.label ?? action.id })),
    digest: "sha256:sample",
    createdBy: "refund-bot",
    createdAt: PLACED,
    attempt: 1,
    ladder: [],
    version: 1,
    links: "agent",
    ...more,
  };
}

const PATCH = `--- a/limits.ts
+++ b/limits.ts
@@ -1,3 +1,3 @@
 export const LIMITS = {
-  refund: 100,
+  refund: 250,
 };`;

const approval: Ask = {
  type: "approval",
  prompt: "Refund 79.90 EUR to Mara Lindqvist?",
  context: {
    reason: "The parcel arrived broken; a photo is attached to the ticket.",
    tool: "payments.refund",
    args: { order: "A-10482", amount: 79.9, currency: "EUR", notify_customer: true },
  },
};

const by = { kind: "session", id: "ses_1", name: "Ada" } as const;
const at = "2026-03-01T09:10:00.000Z";

export const SAMPLES: readonly (readonly [title: string, hold: Hold])[] = [
  [
    "Approval with a tool call",
    sample(approval, { expiresAt: "2026-03-01T11:00:00.000Z", onTimeout: { action: "reject" } }),
  ],
  [
    "Approval of an artifact, nearly out of time",
    sample(
      {
        type: "approval",
        prompt: "Publish this change to the refund limits?",
        context: {
          artifact: {
            title: "limits.ts",
            content: PATCH,
            metadata: { author: "config-bot", risk: "medium" },
          },
          notes_markdown:
            "Raises the limit from **100** to **250 EUR**.\n\n- asked for by support\n- reviewed by `finance`\n\n> It can be taken back at any time.",
          affected: [
            { country: "DE", refunds: 1204, average: 41.2 },
            { country: "SE", refunds: 88, average: 67.9 },
          ],
        },
      },
      { expiresAt: "2026-03-01T09:15:00.000Z" },
    ),
  ],
  [
    "Selection",
    sample({
      type: "selection",
      prompt: "Which of these applicants shall be invited?",
      select: { min: 1, max: 2 },
      options: [
        { id: "okafor", label: "Ngozi Okafor", description: "Nine years of payments back ends, Lisbon" },
        { id: "brandt", label: "Jonas Brandt", description: "Five years of data platforms, remote" },
      ],
    }),
  ],
  [
    "Every kind of field",
    sample({
      type: "input",
      prompt: "The contract needs a few facts.",
      form: {
        fields: [
          { key: "name", label: "Company", type: "text", required: true, hint: "As in the register" },
          { key: "about", label: "What is it about?", type: "textarea" },
          { key: "price", label: "Price in EUR", type: "number", required: true },
          { key: "start", label: "Starts on", type: "date" },
          { key: "mail", label: "Contact", type: "email" },
          { key: "site", label: "Web site", type: "url" },
          { key: "nda", label: "There is a non-disclosure agreement", type: "boolean" },
          {
            key: "kind",
            label: "Engagement",
            type: "select",
            options: [
              { value: "fixed", label: "Fixed price" },
              { value: "hourly", label: "By the hour" },
            ],
          },
          {
            key: "regions",
            label: "Regions",
            type: "multiselect",
            options: [
              { value: "eu", label: "Europe" },
              { value: "us", label: "America" },
            ],
          },
          { key: "trust", label: "How sure are you?", type: "range" },
          { key: "iban", label: "IBAN", type: "text", sensitive: true },
        ],
      },
    }),
  ],
  [
    "Steps",
    sample({
      type: "input",
      prompt: "Set up the new supplier.",
      form: {
        steps: [
          { title: "Who", fields: [{ key: "name", label: "Name", type: "text", required: true }] },
          {
            title: "How",
            description: "Only what accounting needs.",
            fields: [{ key: "terms", label: "Days to pay", type: "number" }],
          },
          { title: "Check", fields: [] },
        ],
      },
    }),
  ],
  [
    "A JSON Schema",
    sample({
      type: "input",
      prompt: "Where shall the backup go?",
      responseSchema: {
        type: "object",
        required: ["region", "keep_days"],
        properties: {
          region: { enum: ["eu-north", "eu-west"], description: "Must be inside the EU" },
          keep_days: { type: "integer", minimum: 1, maximum: 365, default: 30 },
          encrypt: { type: "boolean" },
          contact: { type: "object", properties: { email: { type: "string", format: "email" } } },
        },
      },
    }),
  ],
  [
    "Confirmation",
    sample({
      type: "confirmation",
      prompt: "Delete 1,204 inactive accounts now?",
      context: {
        description: "Backups are kept for 30 days.",
        items: [{ id: "mail", label: "Owners were written to twice" }],
      },
    }),
  ],
  [
    "Escalation",
    sample({
      type: "escalation",
      prompt: "The nightly import failed three times. What now?",
      context: {
        error: {
          title: "Time-out",
          summary: "No answer within 30 s.",
          details: "at fetch (import.ts:12)\nat run (job.ts:40)",
        },
        params: { timeout_seconds: 30, batch_size: 500 },
      },
    }),
  ],
  [
    "Approved with changes",
    sample(approval, {
      status: "decided",
      outcome: {
        kind: "decided",
        action: "approve",
        data: { edited_args: { order: "A-10482", amount: 40, currency: "EUR", notify_customer: true } },
        by,
        door: "console",
        at,
      },
    }),
  ],
  [
    "Rejected",
    sample(approval, {
      status: "decided",
      outcome: {
        kind: "decided",
        action: "reject",
        data: { feedback: "The warranty is over." },
        by,
        door: "page",
        at,
      },
    }),
  ],
  [
    "Expired",
    sample(approval, { status: "expired", outcome: { kind: "expired", default: { action: "reject" }, at } }),
  ],
  [
    "Cancelled",
    sample(approval, {
      status: "cancelled",
      outcome: {
        kind: "cancelled",
        cancelledBy: { kind: "key", id: "key_1", name: "refund-bot" },
        reason: "The customer withdrew the claim.",
        at,
      },
    }),
  ],
];
