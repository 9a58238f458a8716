/** Facts about keys, sign-in sessions and settings. No secret is written to the log. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { FactTable } from "../domain.ts";
import type { Checkpoint, SigningKey } from "../log/checkpoint.ts";
import type { World } from "../world.ts";
import type { ApiKey, OidcSession, Session, SignIn, Webhook, WorkspaceSettings } from "./access.ts";

export type AccessFact =
  | { readonly type: "key.made" | "key.revoked" | "key.secret_rotated"; readonly key: ApiKey }
  /** Not written to the log: it only records when the key was last used. */
  | { readonly type: "key.used"; readonly key: ApiKey }
  | { readonly type: "sign_in.made" | "sign_in.used"; readonly signIn: SignIn }
  | { readonly type: "session.started" | "session.ended"; readonly session: Session }
  | { readonly type: "session.expired"; readonly session: Session }
  | { readonly type: "webhook.made" | "webhook.changed" | "webhook.removed"; readonly webhook: Webhook }
  | { readonly type: "workspace.changed"; readonly settings: WorkspaceSettings }
  | { readonly type: "signing_key.made" | "signing_key.retired"; readonly key: SigningKey }
  /** Not written to the log that it signs: otherwise every checkpoint would need another one. */
  | { readonly type: "checkpoint.made"; readonly checkpoint: Checkpoint };

interface HasKey {
  readonly key: ApiKey;
}
interface HasSignIn {
  readonly signIn: SignIn;
}
interface HasSession {
  readonly session: Session;
}
interface HasWebhook {
  readonly webhook: Webhook;
}
interface HasSigningKey {
  readonly key: SigningKey;
}

const key = {
  evolve: (_world: World, id: string, { key: body }: HasKey) => [{ kind: "api_key", id, body } as const],
  log: ({ key: { id, name, role } }: HasKey) => ({ key_id: id, name, role }),
};

const signIn = {
  evolve: (_world: World, id: string, fact: HasSignIn) => [
    { kind: "sign_in", id, body: fact.signIn } as const,
  ],
  log: ({ signIn: { name, role } }: HasSignIn) => ({ name, role }),
};

const session = {
  evolve: (_world: World, id: string, fact: HasSession) => [
    { kind: "session", id, body: fact.session } as const,
  ],
  log: ({ session: { id, name, role } }: HasSession) => ({ session_id: id, name, role }),
};

/** The log says how the person proved who they are. What the provider calls them stays in the row (G9). */
const sessionStarted = {
  evolve: session.evolve,
  log(fact: HasSession): JsonObject {
    const { how, oidc } = fact.session;
    return { ...session.log(fact), ...(how === undefined ? {} : { how }), ...oidcData(oidc) };
  },
};

function oidcData(oidc: OidcSession | undefined): JsonObject {
  if (oidc === undefined) return {};
  const { provider, authenticatedAt, acr, amr } = oidc;
  return {
    provider,
    ...(authenticatedAt === undefined ? {} : { auth_time: new Date(authenticatedAt).toISOString() }),
    ...(acr === undefined ? {} : { acr }),
    ...(amr === undefined ? {} : { amr: [...amr] }),
  };
}

const webhook = {
  evolve: (_world: World, id: string, fact: HasWebhook) => [
    { kind: "webhook", id, body: fact.webhook } as const,
  ],
  log: ({ webhook: { id, events } }: HasWebhook) => ({ webhook_id: id, events: [...events] }),
};

const signingKey = {
  evolve: (_world: World, id: string, fact: HasSigningKey) => [
    { kind: "signing_key", id, body: fact.key } as const,
  ],
  log: ({ key: { id, algorithm } }: HasSigningKey) => ({ key_id: id, algorithm }),
};

export const ACCESS_FACTS: FactTable<AccessFact> = {
  "key.made": key,
  "key.revoked": key,
  "key.secret_rotated": key,
  "key.used": { evolve: key.evolve, log: () => null },
  "sign_in.made": signIn,
  "sign_in.used": signIn,
  "session.started": sessionStarted,
  "session.ended": session,
  "session.expired": {
    evolve: (_world, id) => [{ kind: "session", id, body: null }],
    log: session.log,
  },
  "webhook.made": webhook,
  "webhook.changed": webhook,
  "webhook.removed": {
    evolve: (_world, id) => [{ kind: "webhook", id, body: null }],
    log: webhook.log,
  },
  "workspace.changed": {
    evolve: (_world, id, { settings }) => [{ kind: "workspace", id, body: settings }],
    log: ({ settings: { webhooks, retainMs, noInline } }) => ({
      webhooks: webhooks.length,
      ...(retainMs === undefined ? {} : { retain_ms: retainMs }),
      ...(noInline === undefined ? {} : { no_inline: true }),
    }),
  },
  "signing_key.made": signingKey,
  "signing_key.retired": signingKey,
  "checkpoint.made": {
    evolve: (_world, id, { checkpoint }) => [{ kind: "checkpoint", id, body: checkpoint }],
    log: () => null,
  },
};
