/**
 * Every way the native API refuses, in one table: the HTTP status, a title that never changes, and a cure in one line for the
 * docs. Clients branch on the code; the words around it may improve.
 */

export interface ErrorEntry {
  readonly status: number;
  readonly title: string;
  readonly cure: string;
}

export const ERROR_CODES = {
  invalid_json: {
    status: 400,
    title: "The body is not JSON",
    cure: "Send one UTF-8 JSON value without duplicate member names, NUL characters, or integers too large to keep.",
  },
  invalid_query: {
    status: 400,
    title: "A query parameter or header is not valid",
    cure: "Compare the parameters named in `fields` with the reference.",
  },
  invalid_cursor: {
    status: 400,
    title: "The cursor is not one of ours",
    cure: "Give back `next_cursor` as it came, or start again without a cursor.",
  },
  unauthenticated: {
    status: 401,
    title: "No valid credential was sent",
    cure: "Send `Authorization: Bearer <key>` with a key that has not been revoked.",
  },
  not_allowed: {
    status: 403,
    title: "This caller may not do this",
    cure: "Use a credential whose role allows it. An agent's key never answers, and nobody answers what they asked.",
  },
  nobody_to_ask: {
    status: 409,
    title: "The channel has nobody to ask",
    cure: "Link your own account on the Channels page, or give the channel a chat (`to`).",
  },
  not_entitled: {
    status: 403,
    title: "This person may not vote on this hold",
    cure: "Read `detail`. Only people whom the hold's `decision` names count, once each, and neither unconfirmed nor excluded ones.",
  },
  strength_too_low: {
    status: 403,
    title: "The vote is not proven as strongly as the decision demands",
    cure: "Vote again in the way that `need` names: sign in, or confirm with a passkey.",
  },
  not_proven: {
    status: 403,
    title: "The passkey's signature does not prove this",
    cure: "Ask for a new challenge and sign it with a passkey of your own. A challenge can be used once, for five minutes.",
  },
  verification_required: {
    status: 403,
    title: "The answer needs evidence",
    cure: "Confirm the answer with a passkey on the review page or in the console.",
  },
  verification_failed: {
    status: 403,
    title: "The evidence does not hold for this answer",
    cure: "Ask for a new challenge and sign it, or answer on the review page.",
  },
  fresh_sign_in_required: {
    status: 403,
    title: "This needs a fresh sign-in",
    cure: "Sign in to the console again and repeat it within 10 minutes.",
  },
  not_sent: {
    status: 409,
    title: "The invitation was not sent",
    cure: "Read `detail`. Set an e-mail address and an e-mail channel, or hand over a one-time link.",
  },
  passkeys_unavailable: {
    status: 409,
    title: "Passkeys need a host name",
    cure: "Set the server's public URL to a host name; browsers do not make passkeys for IP addresses.",
  },
  agent_mismatch: {
    status: 403,
    title: "The key belongs to another agent",
    cure: "Leave `X-Agent-ID` out, send the key's own agent, or use a key of role `agent:*`.",
  },
  not_found: {
    status: 404,
    title: "There is nothing here that this caller may see",
    cure: "Check the id and the workspace of the key.",
  },
  method_not_allowed: {
    status: 405,
    title: "This address does not take this method",
    cure: "Use a method named in the `Allow` header.",
  },
  not_acceptable: {
    status: 406,
    title: "The reply has no form that the caller accepts",
    cure: "Accept `application/json`, or `text/event-stream` for streams.",
  },
  already_settled: {
    status: 409,
    title: "The hold already has an outcome",
    cure: "Read `outcome`: it came first and it stays.",
  },
  key_reused: {
    status: 409,
    title: "The key belongs to a different ask",
    cure: "Use a new key for a new question, or place with `after: <settled hold>` to ask again under this key.",
  },
  after_not_settled: {
    status: 409,
    title: "The hold named in `after` is still open",
    cure: "Wait for its outcome, or cancel it first.",
  },
  delivery_queued: {
    status: 409,
    title: "The message is still to be sent",
    cure: "Wait until it was sent or has failed for good; only then can it be sent again.",
  },
  no_vote: {
    status: 409,
    title: "There is no vote to take back",
    cure: "Only a person who has voted on this open hold can withdraw the vote, by the same person's credential.",
  },
  not_settled: {
    status: 409,
    title: "The hold is still open",
    cure: "Cancel it, or wait for its outcome; content is erased after the end.",
  },
  intent_suspended: {
    status: 409,
    title: "The intent is already suspended",
    cure: "Answer or cancel the hold that suspends it, or place without `intent_id`.",
  },
  intent_not_active: {
    status: 409,
    title: "The intent cannot be suspended as it stands",
    cure: "Only a draft or an active intent can wait for a person; see its `status`.",
  },
  claim_taken: {
    status: 409,
    title: "The hold has been claimed",
    cure: "Do not execute: it was claimed, or reported otherwise, before. `detail` says what can be done: wait, use the recorded result, or, after failed work, place the question again with `after`.",
  },
  claim_unknown: {
    status: 409,
    title: "Nobody knows whether it ran",
    cure: "Do not execute: an earlier claimer never reported. An operator looks, and releases the claim if it did not run.",
  },
  not_claimable: {
    status: 409,
    title: "The hold was not approved",
    cure: "Claim only holds that a person decided with an action that lets the work go on.",
  },
  digest_mismatch: {
    status: 409,
    title: "What would be executed is not what was approved",
    cure: "Do not execute. Place a new hold for what you want to do now.",
  },
  shown_mismatch: {
    status: 409,
    title: "What was shown is not what is asked",
    cure: "Load the hold again, show it, and let the person decide again.",
  },
  already_exists: {
    status: 409,
    title: "There is one of this name already",
    cure: "Choose another name, or use the one that is there.",
  },
  group_incomplete: {
    status: 409,
    title: "The answer leaves open holds of the group out",
    cure: "Give one entry for every open hold of the group.",
  },
  release_not_stuck: {
    status: 409,
    title: "The release does not wait for an operator",
    cure: "Only a release that is pending, unknown or failed can be retried or marked; read its `state`.",
  },
  no_file_wanted: {
    status: 409,
    title: "The hold asks for no file",
    cure: "Upload only where a field of type `x-file-upload`, or a schema that says so, asks for a file.",
  },
  too_many_files: {
    status: 409,
    title: "The hold has as many files as it may have",
    cure: "Answer with one of them, or wait: an upload that no answer names is dropped after a week.",
  },
  file_quota_reached: {
    status: 409,
    title: "The files of the workspace take all the room they may take",
    cure: "Settle holds whose uploads are not needed or erase settled ones, or let the operator raise `file_quota_mb`.",
  },
  hold_expired: {
    status: 410,
    title: "The hold has expired",
    cure: "The time was up before the answer came. Place a new hold if it is still wanted.",
  },
  precondition_failed: {
    status: 412,
    title: "It has changed since it was read",
    cure: "Read it again and repeat with the new `ETag`.",
  },
  too_large: {
    status: 413,
    title: "The body is too large",
    cure: "Keep bodies within 1 MiB and 50,000 JSON values (conversations: 10 MiB and 100,000), forms within 10,000 fields, files within 10 MiB; put large material elsewhere and link to it.",
  },
  unsupported_media_type: {
    status: 415,
    title: "The body is not sent as JSON",
    cure: "Send `Content-Type: application/json`.",
  },
  invalid_body: {
    status: 422,
    title: "The body has not the right shape",
    cure: "Compare the members named in `fields` with the reference.",
  },
  unknown_member: {
    status: 422,
    title: "The body has a member we do not know",
    cure: "Correct its spelling or leave it out; what is free-form belongs into `context` or `metadata`.",
  },
  too_deep: {
    status: 422,
    title: "The body is nested too deeply",
    cure: "Keep objects and lists within 64 levels.",
  },
  invalid_ask: {
    status: 422,
    title: "The ask makes no sense as it stands",
    cure: "Each entry of `fields` names a place and the rule it breaks.",
  },
  invalid_answer: {
    status: 422,
    title: "The answer does not fit the ask",
    cure: "Each entry of `fields` names a place and the rule it breaks.",
  },
  invalid_action: {
    status: 422,
    title: "The hold does not offer this action",
    cure: "Choose one of the hold's `actions`.",
  },
  invalid_rules: {
    status: 422,
    title: "The rules contain errors",
    cure: "Each entry of `fields` names a rule and what is wrong with it. Nothing was published.",
  },
  not_grantable: {
    status: 422,
    title: "Similar calls cannot be allowed in advance like this",
    cure: "Answer without `grant`, or change its terms as the message says.",
  },
  grant_too_long: {
    status: 422,
    title: "The grant would last longer than this server allows",
    cure: "Choose a shorter time, or have an operator raise `grant_max`.",
  },
  previous_not_found: {
    status: 422,
    title: "The hold named in `previous` or `after` is not there",
    cure: "Name a hold that the same agent placed in this workspace.",
  },
  intent_not_found: {
    status: 422,
    title: "The intent is not there",
    cure: "Name an intent of this workspace, or place without `intent_id`.",
  },
  unfulfillable_decision: {
    status: 422,
    title: "Nobody can meet this decision",
    cure: "Read `reason`: name more people, need fewer, or exclude fewer. Suspended and unconfirmed people do not count.",
  },
  unknown_channel: {
    status: 422,
    title: "There is no channel with this name",
    cure: "Name a channel that `GET /v1/channels` lists or the configuration has, `console` or `push`.",
  },
  token_refused: {
    status: 422,
    title: "The platform did not accept the bot's token",
    cure: "Read `detail`: it has the platform's reason as a fixed word. Copy the token again, or make a new one.",
  },
  mail_unreachable: {
    status: 422,
    title: "The mail server did not answer as one",
    cure: "Read `detail`: it has the reason as a fixed word. Correct the host and the port; a firewall may be in the way.",
  },
  mail_password_refused: {
    status: 422,
    title: "The mail server did not accept the user and the password",
    cure: "Give both again. Many providers want a password for apps instead of the mailbox's own.",
  },
  mail_tls_refused: {
    status: 422,
    title: "No encrypted connection to the mail server was possible",
    cure: "Port 465 usually wants `implicit`, 587 `starttls`. The certificate must be valid for the host. `optional` sends without TLS where the server offers none.",
  },
  webhook_failed: {
    status: 422,
    title: "The receiver of the webhook did not take the trial message",
    cure: "Read `detail`: it has the reason as a fixed word, such as `http_403` or `connection_refused`. Correct the address or the secret.",
  },
  webhook_incomplete: {
    status: 422,
    title: "The webhook channel has no address, or no secret for a new address",
    cure: "Give `url` for a new channel. With a new `url` give `secret` again: a stored secret goes to no other address.",
  },
  unknown_person: {
    status: 422,
    title: "A person who is named does not exist",
    cure: "Add the person first (`POST /v1/people`), or correct the id; `fields` says where it stands.",
  },
  unknown_team: {
    status: 422,
    title: "A team that is named does not exist",
    cure: "Add the team first (`POST /v1/teams`), or correct the id; `fields` says where it stands.",
  },
  callback_refused: {
    status: 422,
    title: "This server does not send to that address",
    cure: "Use a public https address, or have an operator allow the host in HOLDPOINT_WEBHOOK_ALLOW.",
  },
  too_many_channels: {
    status: 409,
    title: "The server has as many channels as it may have",
    cure: "Disconnect a channel that nobody uses, or take a channel out of the configuration.",
  },
  too_many_webhooks: {
    status: 409,
    title: "The workspace has as many webhooks as it may have",
    cure: "Delete a webhook that nobody reads (`DELETE /v1/webhooks/{id}`).",
  },
  too_many_rotas: {
    status: 409,
    title: "The server has as many rotas as it may have",
    cure: "Remove a rota that no ladder names.",
  },
  too_many_comments: {
    status: 409,
    title: "The hold has as many comments as it may have",
    cure: "Answer the hold, or go on talking elsewhere.",
  },
  not_extendable: {
    status: 409,
    title: "The time cannot be changed like this",
    cure: "Give a time later than the present expiry and within 90 days; a hold that never expires needs none. Snooze for up to 30 days.",
  },
  too_many_open: {
    status: 429,
    title: "Too many questions of this agent are open",
    cure: "Wait until people have answered some, or have an operator raise `max_open_checks`.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    cure: "Wait for `Retry-After` seconds.",
  },
  internal: {
    status: 500,
    title: "The server made a mistake",
    cure: "Repeat the call with the same key; if it persists, look at the server's log.",
  },
  unavailable: {
    status: 503,
    title: "The server cannot do this now",
    cure: "Repeat the call after `Retry-After` seconds; nothing was written.",
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

export type Code = keyof typeof ERROR_CODES;

/** All codes, as a tuple that a schema can take. */
export const CODES = Object.keys(ERROR_CODES) as [Code, ...Code[]];

export function isCode(text: string): text is Code {
  return Object.hasOwn(ERROR_CODES, text);
}

/** Path of the page that explains a code; the server puts its own address before it. */
export function docsUrl(code: Code, base = ""): string {
  return `${base}/docs/errors#${code}`;
}
