/** What the form of a webhook channel sends. */

import type { ChannelOut } from "@holdpoint/protocol";

export type WebhookKind = "webhook" | NonNullable<NonNullable<ChannelOut["webhook"]>["preset"]>;

/** A field that was left empty is not sent, so that a channel keeps its address and its secret; recipients that the form does not show are kept. */
export function webhookIn(
  kind: WebhookKind,
  form: FormData,
  { to: kept }: Pick<ChannelOut, "to"> = { to: [] },
): Record<string, unknown> {
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const given = { url: text("url"), secret: text("secret") };
  return {
    platform: "webhook",
    ...(kind === "webhook" ? {} : { preset: kind }),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== "")),
    to: form.has("to") ? itemsOf(text("to")) : kept,
  };
}

function itemsOf(text: string): readonly string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}
