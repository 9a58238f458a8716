/** The events that the pages of settings tell as what changed there. */

export const CHANGES = {
  access: [
    "key.made",
    "key.revoked",
    "key.secret_rotated",
    "person.added",
    "person.changed",
    "person.confirmed",
    "person.suspended",
    "person.restored",
    "person.erased",
    "person.account_linked",
    "person.account_unlinked",
    "team.added",
    "team.changed",
    "team.removed",
    "rota.added",
    "rota.changed",
    "rota.removed",
    "passkey.added",
    "passkey.removed",
  ],
  channels: ["channel.connected", "channel.changed", "channel.removed"],
  settings: ["server.changed", "workspace.changed"],
  grants: ["grant.minted", "grant.revoked"],
} as const;
