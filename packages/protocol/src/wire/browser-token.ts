/** Tokens for browsers. The token is shown once, in the reply to making it. */

import * as z from "zod";
import { parseDuration } from "../rules/duration.ts";
import { Duration, Id, Time } from "./base.ts";

const LASTS_MAX_MS = 3_600_000;

const Origin = z
  .string()
  .max(300)
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    "Give an origin such as https://app.example.com",
  );

export const BrowserTokenIn = z
  .strictObject({
    person: Id.describe(
      "Who answers with it: the app's own user with an app key, a person of the directory with an operator's or admin's key.",
    ),
    hold_id: Id.exactOptional().describe(
      "The one hold that it reads and answers; absent: the person's inbox.",
    ),
    origins: z
      .array(Origin)
      .min(1)
      .max(10)
      .exactOptional()
      .describe("Only pages of these origins may use it."),
    expires_in: Duration.refine((text) => (parseDuration(text) ?? 0) <= LASTS_MAX_MS, "At most 1h")
      .exactOptional()
      .describe("`15m` when absent; at most `1h`."),
  })
  .meta({ examples: [{ person: "u_42", hold_id: "hold_01jz3v6w6n8q2b4c5d6e7f8g9h", expires_in: "15m" }] });
export type BrowserTokenIn = z.infer<typeof BrowserTokenIn>;

export const BrowserTokenOut = z.strictObject({
  id: Id,
  person: z.string(),
  hold_id: Id.exactOptional(),
  origins: z.array(z.string()).exactOptional(),
  created_at: Time,
  expires_at: Time,
  revoked_at: Time.exactOptional(),
  token: z.string().exactOptional().describe("Only in the reply to making it."),
});
export type BrowserTokenOut = z.infer<typeof BrowserTokenOut>;
