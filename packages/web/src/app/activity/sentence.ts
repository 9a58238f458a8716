/** An event of the log as a sentence with names: who did what, about which question, where, and how long after. */

import type { ActivityOut } from "@holdpoint/protocol";
import { durationWords } from "@holdpoint/react/headless";
import { shortened } from "../shortened.ts";
import { rotaWords, settingsChanged } from "./setting-words.ts";

export type Activity = ActivityOut["activities"][number];

const PAST: Readonly<Record<string, string>> = {
  approve: "approved",
  reject: "rejected",
  edit: "asked for changes to",
  select: "chose for",
  submit: "filled in",
  confirm: "confirmed",
  cancel: "declined",
  retry: "wants another try of",
  skip: "skipped",
  abort: "stopped",
};

const DOORS: Readonly<Record<string, string>> = {
  page: "on the review page",
  console: "in the console",
  rest: "through the API",
  inline: "by a button in a message",
  agui: "in an app",
  openintent: "through OpenIntent",
  cli: "on the command line",
  channel: "in a chat",
  grant: "by a standing permission",
};

export const DOOR_NAMES: Readonly<Record<string, string>> = {
  page: "Review page",
  console: "Console",
  rest: "API",
  inline: "Inline button",
  agui: "App",
  openintent: "OpenIntent",
  cli: "Command line",
  channel: "Chat",
  grant: "Standing permission",
};

type Data = Readonly<Record<string, unknown>>;
const text = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

/** Logs of earlier versions have the id of the session in place of the person. */
const SESSION_ID = /^session_[0-9A-Z]+$/i;

export function whoOf({ actor, who, data }: Pick<Activity, "actor" | "who" | "data">): string {
  const [via = "", ...rest] = actor.split(":");
  const name = rest.join(":");
  if (via === "system") return "The server";
  const { by } = data as { readonly by?: { readonly given_to?: string } };
  if (via === "link") {
    if (by?.given_to === "asker") return "Somebody with the link that was given to the agent";
    return who === undefined ? "Somebody with a review link" : who;
  }
  if (via === "session" && SESSION_ID.test(name)) return "An operator whose name was not recorded";
  return who ?? (name === "" ? actor : name);
}

/** The question and its amount: “Refund order 1042?”, 80 EUR. */
function aboutOf({ hold, stream }: Activity, isOfOne: boolean): string {
  if (isOfOne) return "this";
  if (hold === undefined) return stream.startsWith("hold:") ? "a question that is gone" : "";
  const prompt = hold.prompt === "" ? "a question that was erased" : `“${shortened(hold.prompt)}”`;
  return hold.amount === undefined || hold.prompt.includes(hold.amount)
    ? prompt
    : `${prompt}, ${hold.amount}`;
}

function afterOf({ hold, at }: Activity): string {
  if (hold === undefined) return "";
  const ms = Date.parse(at) - Date.parse(hold.created_at);
  return ms < 1_000 ? "" : `, ${durationWords(ms)} after it was asked`;
}

function decided(activity: Activity, isOfOne: boolean): string {
  const data = activity.data as Data;
  const action = text(data["action"]);
  const door = DOORS[text(data["door"])] ?? "";
  const verb = PAST[action] ?? `answered “${action}” to`;
  return `${whoOf(activity)} ${verb} ${aboutOf(activity, isOfOne)}${door === "" ? "" : `, ${door}`}${afterOf(activity)}`;
}

type Tell = (who: string, about: string, data: Data, activity: Activity) => string;

const HOLD: Readonly<Record<string, Tell>> = {
  placed: (who, about) => `${who} asked ${about}`,
  opened: (who, about) => `${who} opened ${about}`,
  progressed: (who, about) => `${who} began to answer ${about}`,
  reminded: (_who, about, data) => `People were reminded of ${about}${missed(data)}`,
  escalated: (_who, about, data) =>
    `People were told again of ${about}, attempt ${text(data["attempt"])}${missed(data)}`,
  notified: (_who, about) => `The console showed a notice about ${about}`,
  voted: (_who, about, data, activity) =>
    `${activity.whom ?? activity.who ?? text(data["person"])} voted “${text(data["action"])}” on ${about}`,
  vote_withdrawn: (_who, about, data, { whom }) =>
    `The vote of ${whom ?? text(data["person"])} on ${about} was taken back`,
  decision_checked: (_who, about, data) =>
    data["unfulfillable"] === undefined
      ? `Enough people can decide ${about} again`
      : `Nobody can decide ${about} any more, since people have changed`,
  expired: (_who, about, data) =>
    data["default"] === undefined
      ? `${about} expired; nobody decided`
      : `${about} expired, and “${text(data["default"])}” was taken automatically; nobody decided`,
  cancelled: (who, about) => `${who} withdrew ${about}`,
  claimed: (who, about) => `${who} began to execute ${about}`,
  claim_done: (who, about) => `${who} executed ${about}`,
  claim_failed: (who, about) => `${who} reports that executing ${about} failed`,
  claim_unknown: (_who, about) => `Nothing was heard of the execution of ${about}`,
  claim_released: (who, about) => `${who} allowed ${about} to be executed again`,
  revoked: (who, about) => `${who} took back the approval of ${about}`,
  followed: (_who, about) => `A new round of ${about} was asked`,
  link_made: (who, about) => `${who} made a review link for ${about}`,
  link_revoked: (who, about) => `${who} revoked a review link of ${about}`,
  file_added: (who, about) => `${who} uploaded a file for ${about}`,
  files_dropped: (_who, about) => `Files that no answer used were dropped from ${about}`,
  deadline_set: (_who, about) => `The deadline of what waits for ${about} has changed`,
  assigned: (who, about, data, { whom }) =>
    data["assignee"] === null
      ? `${who} gave ${about} back to everybody`
      : `${who} gave ${about} to ${whom ?? text(data["assignee"])}`,
  commented: (who, about, data) =>
    data["asks_back"] === true ? `${who} asked back about ${about}` : `${who} commented on ${about}`,
  extended: (who, about) => `${who} gave more time to ${about}`,
  snoozed: (who, about, data) =>
    data["until"] === null ? `${who} wants to see ${about} again` : `${who} put off ${about}`,
  erased: (who) => `${who} erased the content of a question`,
};

function missed(data: Data): string {
  return data["state"] === "missed" ? ", but the server was down at that time" : "";
}

const OTHERS: Readonly<Record<string, Tell>> = {
  "key.made": (who, _a, data) => `${who} made a key for ${text(data["name"]) || "somebody"}`,
  "key.revoked": (who, _a, data) => `${who} revoked the key of ${text(data["name"]) || "somebody"}`,
  "key.secret_rotated": (who, _a, data) =>
    `${who} changed the signing secret of ${text(data["name"]) || "a key"}`,
  "sign_in.made": (who) => `${who} made a sign-in link`,
  "sign_in.used": (who) => `${who} used a sign-in link`,
  "session.started": (_who, _a, data, { who }) => `${who ?? (text(data["name"]) || "Somebody")} signed in`,
  "session.ended": (who) => `${who} signed out`,
  "webhook.made": (who) => `${who} added a webhook`,
  "webhook.changed": (who) => `${who} changed a webhook`,
  "webhook.removed": (who) => `${who} removed a webhook`,
  "channel.connected": (who, _a, data) => `${who} connected ${text(data["name"])} ${connectedWhere(data)}`,
  "channel.changed": (who, _a, data) => `${who} changed the channel ${text(data["name"])}`,
  "channel.removed": (who, _a, data) => `${who} disconnected the channel ${text(data["name"])}`,
  "rota.added": (who, _a, data) => `${who} added the rota ${text(data["name"])}: ${rotaWords(data["rota"])}`,
  "rota.changed": (who, _a, data) =>
    `${who} changed the rota ${text(data["name"])} from ${rotaWords(data["before"])} to ${rotaWords(data["rota"])}`,
  "rota.removed": (who, _a, data) => `${who} removed the rota ${text(data["name"])}`,
  "server.changed": (who, _a, data) =>
    `${who} changed the server's settings: ${settingsChanged(data["changed"], data["before"])}`,
  "workspace.changed": (who) => `${who} changed the settings of the workspace`,
  "signing_key.made": () => "The server made a key to sign the log with",
  "signing_key.retired": () => "The server retired a key that it signed the log with",
  "person.added": (who, _a, data, { whom }) => `${who} added ${whom ?? text(data["person_id"])}`,
  "person.changed": (who, _a, data, { whom }) => `${who} changed ${whom ?? text(data["person_id"])}`,
  "person.confirmed": (who, _a, data, { whom }) => `${who} confirmed ${whom ?? text(data["person_id"])}`,
  "person.suspended": (who, _a, data, { whom }) =>
    `${who} suspended ${whom ?? text(data["person_id"])}${data["suspended_by"] === "groups" ? ", because no group at the identity provider gives a role any more" : ""}`,
  "person.sessions_ended": (who, _a, data, { whom }) =>
    data["kept"] === "last_admin"
      ? `No group at the identity provider makes ${whom ?? text(data["person_id"])} an admin any more; as the last admin they keep the role, and their sessions ended`
      : `${who} signed ${whom ?? text(data["person_id"])} out everywhere`,
  "person.restored": (who, _a, data, { whom }) => `${who} restored ${whom ?? text(data["person_id"])}`,
  "person.erased": (who, _a, data, { whom }) => `${who} erased ${whom ?? text(data["person_id"])}`,
  "person.account_linked": (who, _a, data, { whom }) =>
    `${who} linked an account on ${text(data["platform"])} to ${whom ?? text(data["person_id"])}`,
  "person.account_unlinked": (who, _a, data, { whom }) =>
    `${who} unlinked an account on ${text(data["platform"])} from ${whom ?? text(data["person_id"])}`,
  "team.added": (who, _a, data) => `${who} added the team ${text(data["team_id"])}`,
  "team.changed": (who, _a, data) => `${who} changed the team ${text(data["team_id"])}`,
  "team.removed": (who, _a, data) => `${who} removed the team ${text(data["team_id"])}`,
  "passkey.added": (who) => `${who} added a passkey`,
  "passkey.removed": (who) => `${who} removed a passkey`,
  "rules.published": (who, _a, data) =>
    `${who} published rules${data["version"] === undefined ? "" : `, version ${text(data["version"])}`}`,
  "grant.minted": (who) => `${who} allowed similar calls in advance`,
  "grant.revoked": (who) => `${who} revoked a standing permission`,
  "grant.matched": () => "A standing permission let a call through",
  "check.recorded": (who, _a, data) => `${who} put a call${of(data["tool"])} before the rules`,
  "skip.recorded": (who) => `${who} went on without asking, as the request chose`,
  "portfolio.made": (who, _a, data) => `${who} made the portfolio${quoted(data["name"])}`,
  "portfolio.changed": (who) => `${who} changed a portfolio`,
  "portfolio.member_added": (who) => `${who} added an intent to a portfolio`,
  "portfolio.member_removed": (who) => `${who} took an intent out of a portfolio`,
  "group.placed": (who) => `${who} asked several questions together`,
  "group.released": () => "All questions of a group are answered",
};

function quoted(value: unknown): string {
  return text(value) === "" ? "" : ` “${text(value)}”`;
}

function of(value: unknown): string {
  return text(value) === "" ? "" : ` of ${text(value)}`;
}

/** Every event has a sentence; one that nobody wrote is told by its name, in words. `isOfOne`: on the page of the hold itself. */
export function sentenceOf(activity: Activity, isOfOne = false): string {
  if (activity.type === "hold.decided") return `${capital(decided(activity, isOfOne))}.`;
  const who = whoOf(activity);
  const tell = activity.type.startsWith("hold.")
    ? HOLD[activity.type.slice("hold.".length)]
    : OTHERS[activity.type];
  const said =
    tell?.(who, aboutOf(activity, isOfOne), activity.data as Data, activity) ??
    `${who}: ${activity.type.replace(/[._]/g, " ")}`;
  return `${capital(said)}.`;
}

function capital(said: string): string {
  return said.charAt(0).toUpperCase() + said.slice(1);
}

const PRESETS: Readonly<Record<string, string>> = { teams: "Teams", pagerduty: "PagerDuty", ntfy: "ntfy" };

function connectedWhere({ platform, preset }: Data): string {
  if (platform === "email") return "for e-mail";
  if (platform !== "webhook") return `on ${text(platform)}`;
  return typeof preset === "string" ? `for ${PRESETS[preset] ?? preset}` : "as a webhook";
}
