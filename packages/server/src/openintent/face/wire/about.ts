/** What the server says about itself in this protocol. */

import * as z from "zod";
import { Open } from "./base.ts";

export const DiscoveryOut = z.looseObject({
  protocol: z.literal("openintent"),
  version: z.string(),
  rfcUrls: z.array(z.string()),
  capabilities: z.array(z.string()),
  openApiUrl: z.string(),
});

export const ConfigOut = z.looseObject({
  protocol_version: z.string(),
  suspension: z.looseObject({ default_retry_policy: Open.nullable() }),
});

/** The data of one frame of a stream. */
export const FrameOut = z.looseObject({
  intent_id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  sequence: z.int(),
});
