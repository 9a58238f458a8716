import { Holdpoint } from "@holdpoint/sdk";
import { webhookHandler } from "@holdpoint/sdk/webhooks";
import { resumeHook } from "workflow/api";

/** For the address of a webhook on `hold.decided`, `hold.expired` and `hold.cancelled`. */
export const ring = (secret: string) =>
  webhookHandler({
    ...{ holdpoint: new Holdpoint(), secret },
    async onMessage(_handle, { hold }) {
      if (hold.key !== undefined) await resumeHook(hold.key, hold.id);
    },
  });
