/** The manifest that makes the Slack app: pasted once under "Create New App", "From a manifest". */

import type { JsonObject } from "../json.ts";

/**
 * What each permission is for:
 * `chat:write` sends and edits; `chat:write.public` also in public channels that nobody has invited the bot to; `im:write` opens direct
 * messages; `im:history` reads what people write to the bot, which is how they link their account; `users:read` tells guests and
 * outsiders from members; `users:read.email` is only used where the channel says `link_by: email`.
 */
const BOT_SCOPES = [
  "chat:write",
  "chat:write.public",
  "im:write",
  "im:history",
  "users:read",
  "users:read.email",
];

export function slackManifest(name = "Holdpoint"): JsonObject {
  return {
    display_information: {
      name,
      description: "Brings questions of AI agents to people, with buttons.",
    },
    features: {
      app_home: {
        home_tab_enabled: false,
        messages_tab_enabled: true,
        messages_tab_read_only_enabled: false,
      },
      bot_user: { display_name: name, always_online: true },
    },
    oauth_config: { scopes: { bot: BOT_SCOPES } },
    settings: {
      event_subscriptions: { bot_events: ["message.im"] },
      interactivity: { is_enabled: true },
      org_deploy_enabled: false,
      socket_mode_enabled: true,
      token_rotation_enabled: false,
    },
  };
}
