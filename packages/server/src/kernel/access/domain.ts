/** The table of kinds, commands and facts for access and workspace settings. */

import { type CommandTable, type Domain, kind } from "../domain.ts";
import type { Checkpoint, SigningKey } from "../log/checkpoint.ts";
import { standsForPerson } from "../people/person.ts";
import type { Need } from "../world.ts";
import {
  type ApiKey,
  oidcSidKey,
  oidcSubjectKey,
  type Session,
  type SignIn,
  type Webhook,
  type WorkspaceSettings,
} from "./access.ts";
import type { AccessCommand } from "./commands.ts";
import {
  changeKey,
  keepCheckpoint,
  makeKey,
  putSigningKey,
  putWebhook,
  removeWebhook,
  setInline,
  setRetention,
} from "./decide.ts";
import { ACCESS_FACTS } from "./facts.ts";
import { managed } from "./manage.ts";
import { closeSession, dropSession, endSession, makeSignIn, useSignIn } from "./sessions.ts";

export const ACCESS_KINDS = {
  workspace: kind<WorkspaceSettings>(),
  api_key: kind<ApiKey>({
    indexes: { name: ({ name }) => name },
    vouched: ({ name, role, hash, owner = null, revokedAt = null }) => ({
      name,
      role,
      hash,
      owner,
      revokedAt,
    }),
  }),
  sign_in: kind<SignIn>({
    vouched: ({ name, role, expiresAt, usedAt = null }) => ({ name, role, expiresAt, usedAt }),
  }),
  session: kind<Session>({
    indexes: {
      name: ({ name }) => name,
      oidc_subject: ({ oidc }) => (oidc === undefined ? undefined : oidcSubjectKey(oidc)),
      oidc_sid: ({ oidc }) => (oidc?.sid === undefined ? undefined : oidcSidKey(oidc.issuer, oidc.sid)),
    },
    timer: { dueAt: ({ expiresAt }) => expiresAt, command: (hash) => ({ kind: "drop_session", hash }) },
    vouched: ({ name, role, expiresAt, endedAt = null }) => ({ name, role, expiresAt, endedAt }),
  }),
  webhook: kind<Webhook>({ vouched: ({ url, events }) => ({ url, events: [...events] }) }),
  signing_key: kind<SigningKey>({
    vouched: ({ algorithm, publicJwk, retiredAt = null }) => ({
      algorithm,
      publicJwk: { ...publicJwk },
      retiredAt,
    }),
  }),
  checkpoint: kind<Checkpoint>(),
};

const SETTINGS: Need = { kind: "workspace", id: "settings" };

const keyNeeds = ({ keyId }: { readonly keyId: string }) => [{ kind: "api_key", id: keyId }];

const sessionNeeds = ({ hash }: { readonly hash: string }) => [{ kind: "session", id: hash }];

const commands = {
  make_key: managed(
    "api_key",
    ({ key }) => [
      { kind: "api_key", id: key.id },
      ...(standsForPerson(key) ? [{ kind: "person", id: key.name }] : []),
    ],
    makeKey,
  ),
  revoke_key: managed("api_key", keyNeeds, changeKey),
  rotate_key_secret: managed("api_key", keyNeeds, changeKey),
  note_key_use: managed("api_key", keyNeeds, changeKey),
  make_sign_in: managed("sign_in", ({ signIn }) => [{ kind: "sign_in", id: signIn.hash }], makeSignIn),
  /** These two check no role: the caller proves by the link or the session secret that they may do it. */
  use_sign_in: {
    about: "session",
    needs: ({ hash, session }, world) => {
      const signIn = world.get("sign_in", hash);
      return [
        { kind: "sign_in", id: hash },
        { kind: "session", id: session.hash },
        ...(signIn === undefined ? [] : [{ kind: "person", id: signIn.name }]),
      ];
    },
    decide: useSignIn,
  },
  end_session: {
    about: "session",
    forReaders: true,
    needs: sessionNeeds,
    decide: endSession,
  },
  /** It checks the role itself: people end their own sessions. */
  close_session: { about: "session", forReaders: true, needs: sessionNeeds, decide: closeSession },
  drop_session: { about: "session", needs: sessionNeeds, decide: dropSession },
  put_webhook: managed(
    "webhook",
    ({ webhook }) => [SETTINGS, { kind: "webhook", id: webhook.id }],
    putWebhook,
  ),
  remove_webhook: managed(
    "webhook",
    ({ webhookId }) => [SETTINGS, { kind: "webhook", id: webhookId }],
    removeWebhook,
  ),
  set_retention: managed("workspace", () => [SETTINGS], setRetention),
  set_inline: managed("workspace", () => [SETTINGS], setInline),
  put_signing_key: managed("signing_key", ({ key }) => [{ kind: "signing_key", id: key.id }], putSigningKey),
  keep_checkpoint: managed(
    "checkpoint",
    ({ checkpoint }) => [{ kind: "checkpoint", id: checkpoint.id }],
    keepCheckpoint,
  ),
} satisfies CommandTable<AccessCommand>;

export const ACCESS = { kinds: ACCESS_KINDS, commands, facts: ACCESS_FACTS } satisfies Domain;
