/** Who a Slack user is: a member, a guest, somebody of another workspace, a bot. Asked once in a while, not at every press. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Clock } from "../../system/clock.ts";
import type { ChatAccount } from "../chat/platform.ts";
import { objectAt, type SlackUserRef, textAt } from "./read.ts";
import type { SlackApi } from "./web-api.ts";

const KEPT_MS = 10 * 60_000;
const KEPT_MAX = 1000;

export interface SlackUsers {
  account(user: SlackUserRef, team: string): Promise<ChatAccount>;
}

export function createUsers(api: SlackApi, clock: Clock): SlackUsers {
  const known = new Map<string, { readonly profile: JsonObject; readonly until: number }>();

  async function profileOf(id: string): Promise<JsonObject | undefined> {
    const kept = known.get(id);
    if (kept !== undefined && kept.until > clock.now()) return kept.profile;
    const reply = await api.call("users.info", { user: id });
    if (reply.kind === "failed") return undefined;
    const profile = objectAt(reply.value, "user");
    if (profile === undefined) return undefined;
    known.delete(id);
    known.set(id, { profile, until: clock.now() + KEPT_MS });
    const oldest = known.keys().next().value;
    if (known.size > KEPT_MAX && oldest !== undefined) known.delete(oldest);
    return profile;
  }

  return {
    async account(user, team) {
      const profile = await profileOf(user.id);
      const isForeign = user.team !== team || profile?.["is_stranger"] === true;
      const email = textAt(objectAt(profile ?? {}, "profile") ?? {}, "email");
      return {
        tenant: user.team,
        userId: user.id,
        name: textAt(profile ?? {}, "real_name") ?? user.name,
        ...(profile?.["is_bot"] === true ? { isBot: true as const } : {}),
        // Slack did not say who this is, so they have no more rights than a guest.
        ...(profile === undefined || profile["is_restricted"] === true ? { isGuest: true as const } : {}),
        ...(isForeign ? { isForeign: true as const } : {}),
        // Somebody could have entered the address of another person, so it counts only after Slack has checked it.
        ...(email === undefined || isForeign || profile?.["is_email_confirmed"] === false ? {} : { email }),
      };
    },
  };
}
