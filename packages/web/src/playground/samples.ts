/** Asks to begin with. */

export const TEMPLATES: Readonly<Record<string, object>> = {
  approval: {
    type: "approval",
    prompt: "Refund 79.90 EUR to Mara Lindqvist?",
    context: {
      reason: "Arrived broken",
      tool: "payments.refund",
      args: { order: "A-10482", amount: 79.9, currency: "EUR" },
    },
    timeout: "10m",
    on_timeout: "reject",
  },
  selection: {
    type: "selection",
    prompt: "Which draft shall be sent?",
    options: [
      { id: "short", label: "The short one" },
      { id: "long", label: "The long one", description: "With all the figures" },
    ],
    select: { max: 1 },
  },
  input: {
    type: "input",
    prompt: "Which day suits you?",
    form: { fields: [{ key: "day", label: "Day", type: "date", required: true }] },
  },
  confirmation: {
    type: "confirmation",
    prompt: "Switch the shop to the new payment provider now?",
    context: { items: [{ id: "tests", label: "The test orders went through" }] },
    timeout: "1h",
    on_timeout: "cancel",
  },
  escalation: {
    type: "escalation",
    prompt: "The import failed three times. What now?",
    context: {
      error: { title: "Time-out", summary: "No answer within 30 s." },
      params: { timeout_seconds: 30 },
    },
  },
  "x-tone-check": {
    type: "x-tone-check",
    prompt: "Is this reply fit to be sent?",
    context: { draft: "Dear Mr Osei,\n\nyour parcel leaves today." },
    actions: [
      { id: "send", label: "Send it", style: "primary" },
      { id: "reject", label: "Do not send", style: "danger" },
    ],
  },
};
