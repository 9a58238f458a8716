/** The demo's holds that are placed with the SDK, and the form of the contract service. */

import type { Place } from "@holdpoint/protocol/client";
import { clean } from "../clean.ts";
import type { DemoAgent } from "./agent.ts";

export const CONTRACT_FORM = {
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
} as const;

interface PlainHold {
  readonly name: string;
  readonly place: Place;
}

const PLAIN: readonly PlainHold[] = [
  {
    name: "clean-up job",
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
    name: "nightly import",
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
    name: "reply writer",
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

/** Native agents: place a hold, wait, continue. */
export const plainAgents: readonly DemoAgent[] = PLAIN.map(({ name, place }) => ({
  name,
  speaks: "the SDK",
  async ask({ hp, run }) {
    const hold = await hp.place({ ...place, key: `demo:${run}:${name}` });
    return {
      hold,
      async goOn() {
        const { outcome } = await hp.wait(hold.id);
        return outcome?.kind === "decided"
          ? `continued with "${clean(outcome.action)}"`
          : `stopped: ${outcome?.kind ?? "open"}`;
      },
    };
  },
}));
