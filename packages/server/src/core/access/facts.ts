/** What can become true of keys, people, sessions and settings. Secrets never show in the log. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Checkpoint, SigningKey } from "../log/checkpoint.ts";
import type { ApiKey, Person, Session, SignIn, Webhook, WorkspaceSettings } from "./access.ts";

export type AccessFact =
  | { readonly type: "key.made" | "key.revoked" | "key.secret_rotated"; readonly key: ApiKey }
  /** Not for the log: how recently a key was used. */
  | { readonly type: "key.used"; readonly key: ApiKey }
  | { readonly type: "sign_in.made" | "sign_in.used"; readonly signIn: SignIn }
  | { readonly type: "session.started" | "session.ended"; readonly session: Session }
  | { readonly type: "person.added" | "person.changed" | "person.removed"; readonly person: Person }
  | { readonly type: "webhook.made" | "webhook.changed" | "webhook.removed"; readonly webhook: Webhook }
  | { readonly type: "workspace.changed"; readonly settings: WorkspaceSettings }
  | { readonly type: "signing_key.made" | "signing_key.retired"; readonly key: SigningKey }
  /** Not for the log it vouches for: a checkpoint that covered itself would never end. */
  | { readonly type: "checkpoint.made"; readonly checkpoint: Checkpoint };

export function accessLogData(fact: AccessFact): JsonObject | null {
  switch (fact.type) {
    case "key.made":
    case "key.revoked":
    case "key.secret_rotated":
      return { key_id: fact.key.id, name: fact.key.name, role: fact.key.role };
    case "key.used":
    case "checkpoint.made":
      return null;
    case "sign_in.made":
    case "sign_in.used":
      return { name: fact.signIn.name, role: fact.signIn.role };
    case "session.started":
    case "session.ended":
      return { session_id: fact.session.id, name: fact.session.name, role: fact.session.role };
    case "person.added":
    case "person.changed":
    case "person.removed":
      return { person_id: fact.person.id, role: fact.person.role };
    case "webhook.made":
    case "webhook.changed":
    case "webhook.removed":
      return { webhook_id: fact.webhook.id, events: [...fact.webhook.events] };
    case "workspace.changed":
      return {
        webhooks: fact.settings.webhooks.length,
        ...(fact.settings.retainMs === undefined ? {} : { retain_ms: fact.settings.retainMs }),
        ...(fact.settings.noInline === undefined ? {} : { no_inline: true }),
      };
    case "signing_key.made":
    case "signing_key.retired":
      return { key_id: fact.key.id, algorithm: fact.key.algorithm };
  }
}
