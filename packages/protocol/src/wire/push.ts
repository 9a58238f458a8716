/** Devices that get web push messages. */

import * as z from "zod";
import { Id, list, Time } from "./base.ts";

const Key = z
  .string()
  .min(16)
  .max(200)
  .regex(/^[\w-]+$/, "expected base64url");

export const PushDeviceIn = z
  .strictObject({
    endpoint: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .describe("The address at the browser's push service."),
    keys: z
      .strictObject({ p256dh: Key, auth: Key })
      .describe("The browser's public key and its shared secret, to encrypt for it."),
    name: z
      .string()
      .min(1)
      .max(100)
      .regex(/^\P{Cc}+$/u, "Invalid name: control characters")
      .exactOptional()
      .describe("What the person calls it: `Phone`."),
  })
  .describe("What `PushSubscription.toJSON()` of a browser has, with a name.")
  .meta({
    examples: [
      {
        endpoint: "https://push.example.com/send/1",
        keys: {
          p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
          auth: "BTBZMqHH6r4Tts7J_aSIgg",
        },
        name: "Phone",
      },
    ],
  });
export type PushDeviceIn = z.infer<typeof PushDeviceIn>;

export const PushDeviceOut = z.strictObject({
  id: Id,
  person: z.string(),
  name: z.string(),
  service: z.string().describe("The host of the push service. The address itself is not shown."),
  created_at: Time,
});
export type PushDeviceOut = z.infer<typeof PushDeviceOut>;

export const PushDeviceListOut = z.strictObject({
  public_key: z.string().describe("The `applicationServerKey` to subscribe with."),
  devices: list(PushDeviceOut),
});
export type PushDeviceListOut = z.infer<typeof PushDeviceListOut>;
