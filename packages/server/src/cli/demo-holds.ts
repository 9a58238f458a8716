/** The demo's questions: one of every type, each something a real agent might stop for. */

import type { Place } from "@holdpoint/sdk";

export interface DemoHold {
  readonly name: string;
  readonly place: Place;
}

export const DEMO_HOLDS: readonly DemoHold[] = [
  {
    name: "approval",
    place: {
      type: "approval",
      prompt: "Refund 79.90 EUR to Mara Lindqvist?",
      context: {
        order: "A-10482",
        reason: "Arrived broken; photo attached by the customer",
        amount: "79.90 EUR",
        customer_since: "2021",
        earlier_refunds: 0,
      },
      timeout: "2h",
      onTimeout: "reject",
    },
  },
  {
    name: "selection",
    place: {
      type: "selection",
      prompt: "Which of these applicants shall be invited?",
      options: [
        { id: "okafor", label: "Ngozi Okafor", description: "Nine years of payments back ends, Lisbon" },
        { id: "brandt", label: "Jonas Brandt", description: "Five years of data platforms, remote" },
        { id: "ito", label: "Haruka Ito", description: "Three years, wrote the scheduler we use" },
      ],
      select: { min: 1, max: 2 },
      timeout: "3d",
    },
  },
  {
    name: "input",
    place: {
      type: "input",
      prompt: "The contract for Nordlicht GmbH needs a few facts.",
      form: {
        steps: [
          {
            title: "Kind of work",
            fields: [
              {
                key: "kind",
                label: "Engagement",
                type: "select",
                required: true,
                options: [
                  { value: "fixed", label: "Fixed price" },
                  { value: "hourly", label: "By the hour" },
                ],
              },
              { key: "start", label: "Starts on", type: "date", required: true },
            ],
          },
          {
            title: "Money",
            fields: [
              {
                key: "price",
                label: "Price in EUR",
                type: "number",
                required: true,
                validation: { min: 1 },
                conditional: { field: "kind", operator: "eq", value: "fixed" },
              },
              {
                key: "rate",
                label: "Hourly rate in EUR",
                type: "number",
                required: true,
                validation: { min: 1, max: 500 },
                conditional: { field: "kind", operator: "eq", value: "hourly" },
              },
              {
                key: "vat_id",
                label: "VAT id",
                type: "text",
                hint: "For example DE123456789",
                sensitive: true,
              },
            ],
          },
        ],
      },
    },
  },
  {
    name: "confirmation",
    place: {
      type: "confirmation",
      prompt: "Delete 1,204 inactive accounts now?",
      context: {
        description: "Backups are kept for 30 days. This cannot be undone afterwards.",
        items: [
          { id: "emails", label: "Owners were written to twice" },
          { id: "backup", label: "Tonight's backup is complete" },
        ],
      },
      timeout: "1d",
      onTimeout: "cancel",
    },
  },
  {
    name: "escalation",
    place: {
      type: "escalation",
      prompt: "The nightly import failed three times. What now?",
      context: {
        error: { title: "Time-out", summary: "The supplier's API did not answer within 30 s." },
        params: { timeout_seconds: 30, batch_size: 500 },
      },
      timeout: "4h",
      onTimeout: "skip",
    },
  },
  {
    name: "x-tone-check",
    place: {
      type: "x-tone-check",
      prompt: "Is this reply fit to be sent?",
      context: {
        draft:
          "Dear Mr Osei,\n\nwe are sorry about the delay. Your parcel leaves our house today.\n\nKind regards",
      },
      actions: [
        { id: "send", label: "Send it", style: "primary" },
        { id: "soften", label: "Make it warmer" },
        { id: "reject", label: "Do not send", style: "danger" },
      ],
    },
  },
];
