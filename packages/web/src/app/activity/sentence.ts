/** An event of the log as a sentence with names: who did what, about which question, where, and how long after. */

import type { ActivityOut } from "@holdpoint/protocol";
import { member } from "@holdpoint/protocol/rules";
import { durationWords } from "@holdpoint/react/headless";
import { personName } from "../person-names.ts";
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

/** The question and its amount: “Refund order 1042?”, 80.00 EUR. */
function aboutOf({ hold, stream }: Activity, isOfOne: boolean): string {
  if (isOfOne) return "this";
  if (hold === undefined) return stream.startsWith("hold:") ? "a question that is gone" : "";
  const prompt = hold.prompt === "" ? "a question that was erased" : `“${shortened(hold.prompt)}”`;
  return hold.amount === undefined || saysAmount(hold.prompt, hold.amount)
    ? prompt
    : `${prompt}, ${hold.amount}`;
}

/** People write `80 EUR` for `80.00 EUR`, and `1204` for `1,204`. */
function saysAmount(prompt: string, amount: string): boolean {
  const short = amount.replace(/\.00(?= )/, "");
  return [amount, short, short.replaceAll(",", "")].some((words) => prompt.includes(words));
}

function afterOf({ hold, at }: Activity): string {
  if (hold === undefined) return "";
  const ms = Date.parse(at) - Date.parse(hold.created_at);
  return ms < 1_000 ? "" : `, ${durationWords(ms)} after it was asked`;
}

function decided(activity: Activity, isOfOne: boolean): string {
  const data = activity.data as Data;
  const action = text(data["action"]);
  const door = member(DOORS, text(data["door"])) ?? "";
  const verb = member(PAST, action) ?? `answered “${action}” to`;
  return `${whoOf(activity)} ${verb} ${aboutOf(activity, isOfOne)}${door === "" ? "" : `, ${door}`}${afterOf(activity)}`;
}

type NameOf = (id: string) => string;
type Tell = (who: string, about: string, data: Data, activity: Activity, nameOf: NameOf) => string;

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
  reached: (_who, about, data) => `A message about ${about} arrived${by(data["channel"])}`,
  delivery_failed: (_who, about, data) =>
    `A message about ${about} could not be delivered${by(data["channel"])}${data["nobody_reached"] === true ? "; nobody was reached" : ""}`,
  message_sent: (_who, about, data) => `A chat message about ${about} was sent${by(data["channel"])}`,
  reminder_set: (who, about, _data, { whom }) => `${whom ?? who} wants to be reminded of ${about}`,
  press_refused: (_who, about, data, { whom }) =>
    `${whom ?? "Somebody"} pressed a button about ${about} in a chat${by(data["channel"])}, and it did not count: ${inWords(data["reason"])}`,
};

function by(channel: unknown): string {
  return text(channel) === "" ? "" : ` by ${text(channel)}`;
}

function inWords(code: unknown): string {
  return text(code).replaceAll("_", " ");
}

function missed(data: Data): string {
  return data["state"] === "missed" ? ", but the server was down at that time" : "";
}

const OTHERS: Readonly<Record<string, Tell>> = {
  "key.made": (who, _a, data) => `${who} made a key for ${text(data["name"]) || "somebody"}`,
  "key.revoked": (who, _a, data) => `${who} revoked the key of ${text(data["name"]) || "somebody"}`,
  "key.secret_rotated": (who, _a, data) =>
    `${who} changed the signing secret of ${text(data["name"]) || "a key"}`,
  "sign_in.made": (who, _a, data, { whom }) => `${who} made a sign-in link${forAnother(who, whom, data)}`,
  "sign_in.used": (who) => `${who} used a sign-in link`,
  "session.started": (_who, _a, data, { who }) => `${who ?? (text(data["name"]) || "Somebody")} signed in`,
  "session.ended": (who, _a, data, { whom }) =>
    forAnother(who, whom, data) === ""
      ? `${who} signed out`
      : `${who} ended a session of ${whom ?? text(data["name"])}`,
  "session.expired": (_who, _a, data, { whom }) =>
    `A session of ${whom ?? (text(data["name"]) || "somebody")} expired`,
  "webhook.made": (who) => `${who} added a webhook`,
  "webhook.changed": (who) => `${who} changed a webhook`,
  "webhook.removed": (who) => `${who} removed a webhook`,
  "channel.connected": (who, _a, data) => `${who} connected ${text(data["name"])} ${connectedWhere(data)}`,
  "channel.changed": (who, _a, data) => `${who} changed the channel ${text(data["name"])}`,
  "channel.removed": (who, _a, data) => `${who} disconnected the channel ${text(data["name"])}`,
  "rota.added": (who, _a, data, _activity, nameOf) =>
    `${who} added the rota ${text(data["name"])}: ${rotaWords(data["rota"], nameOf)}`,
  "rota.changed": (who, _a, data, _activity, nameOf) =>
    `${who} changed the rota ${text(data["name"])} from ${rotaWords(data["before"], nameOf)} to ${rotaWords(data["rota"], nameOf)}`,
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
  "team.added": (who, _a, data, { team }) => `${who} added the team ${team ?? text(data["team_id"])}`,
  "team.changed": (who, _a, data, { team }) => `${who} changed the team ${team ?? text(data["team_id"])}`,
  "team.removed": (who, _a, data, { team }) => `${who} removed the team ${team ?? text(data["team_id"])}`,
  "passkey.added": (who, _a, data, { whom }) =>
    `${who} added the passkey${quoted(data["name"])}${ofAnother(who, whom)}`,
  "passkey.removed": (who, _a, data, { whom }) =>
    `${who} removed the passkey${quoted(data["name"])}${ofAnother(who, whom)}`,
  "passkey.host_noted": (_who, _a, data) =>
    `The server noted that passkeys are made for ${text(data["host"])}`,
  "push.device_added": (who, _a, data) =>
    `${who} turned on notifications on${quoted(data["name"]) || " a device"}`,
  "push.device_removed": (who) => `${who} turned off notifications on a device`,
  "push.key_made": () => "The server made a key for notifications on devices",
  "browser_token.made": (who, _a, data, { whom }) =>
    `${who} let ${whom ?? (text(data["person"]) || "somebody")} answer ${data["hold_id"] === undefined ? "in an app" : "one question in an app"}`,
  "browser_token.revoked": (who, _a, data, { whom }) =>
    `${who} took back that ${whom ?? (text(data["person"]) || "somebody")} may answer in an app`,
  "rules.published": (who, _a, data) =>
    `${who} published rules${data["version"] === undefined ? "" : `, version ${text(data["version"])}`}`,
  "grant.minted": (who, _a, data) =>
    text(data["tool"]) === ""
      ? `${who} allowed similar calls in advance`
      : `${who} allowed ${text(data["agent"]) || "agents"} to call ${text(data["tool"])} in advance`,
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
  "release.opened": (_who, _a, data) => `Answers are gathered${forProxy(data)}`,
  "release.ready": (_who, _a, data) => `All answers${forProxy(data)} are there`,
  "release.sending": (_who, _a, data) =>
    `The server began to send the answers${forProxy(data)}, attempt ${text(data["attempt"])}`,
  "release.put_back": (_who, _a, data) =>
    `The answers${forProxy(data)} did not arrive, and the server will send them again`,
  "release.released": (_who, _a, data) => `The answers${forProxy(data)} arrived`,
  "release.unknown": (_who, _a, data) => `Nobody knows whether the answers${forProxy(data)} arrived`,
  "release.failed": (_who, _a, data) =>
    `The answers${forProxy(data)} failed${text(data["error"]) === "" ? "" : `: ${inWords(data["error"])}`}`,
  "release.retried": (who, _a, data) => `${who} had the answers${forProxy(data)} sent again`,
  "release.marked_released": (who, _a, data) => `${who} said that the answers${forProxy(data)} arrived`,
  "release.stalled": (_who, _a, data) =>
    `The conversation${forProxy(data)} did not go on after its answers arrived`,
  "subscription.made": (who) => `${who} subscribed to events of OpenIntent`,
  "subscription.expired": () => "A subscription to events of OpenIntent expired",
  "subscription.removed": (who) => `${who} ended a subscription to events of OpenIntent`,
  "coordinator.granted": (who) => `${who} gave a coordinator its lease`,
  "coordinator.changed": (who) => `${who} changed the lease of a coordinator`,
  "coordinator.paused": (who) => `${who} paused a coordinator`,
  "coordinator.resumed": (who) => `${who} let a coordinator go on`,
  "coordinator.unresponsive": () => "A coordinator has stopped answering",
  "coordinator.completed": (who) => `${who} ended the lease of a coordinator`,
  "coordinator.decision": (who) => `${who} recorded a decision as a coordinator`,
  "coordinator.escalation_required": (who) => `${who} has to ask a person before a decision`,
};

/** Events that the console has a sentence for. */
export const TOLD: readonly string[] = [
  "hold.decided",
  ...Object.keys(HOLD).map((name) => `hold.${name}`),
  ...Object.keys(OTHERS),
];

function forProxy(data: Data): string {
  return text(data["proxy"]) === "" ? " for an agent" : ` for the agent ${text(data["proxy"])}`;
}

/** Logs name the person in `name`; nobody is named twice. */
function forAnother(who: string, whom: string | undefined, data: Data): string {
  const other = whom ?? text(data["name"]);
  return other === "" || other === who ? "" : ` for ${other}`;
}

function ofAnother(who: string, whom: string | undefined): string {
  return whom === undefined || whom === who ? "" : ` of ${whom}`;
}

function quoted(value: unknown): string {
  return text(value) === "" ? "" : ` “${text(value)}”`;
}

function of(value: unknown): string {
  return text(value) === "" ? "" : ` of ${text(value)}`;
}

/** Every event has a sentence; one that nobody wrote is told by its name, in words. `isOfOne`: on the page of the hold itself. */
export function sentenceOf(told: Activity, isOfOne = false, nameOf: NameOf = (id) => id): string {
  const activity = withoutPseudonyms(told);
  if (activity.type === "hold.decided") return `${capital(decided(activity, isOfOne))}.`;
  const who = whoOf(activity);
  const tell = activity.type.startsWith("hold.")
    ? member(HOLD, activity.type.slice("hold.".length))
    : member(OTHERS, activity.type);
  const said =
    tell?.(who, aboutOf(activity, isOfOne), activity.data as Data, activity, nameOf) ??
    `${who}: ${activity.type.replace(/[._]/g, " ")}`;
  return `${capital(said)}.`;
}

/** An erased person has a pseudonym in place of the name. */
function withoutPseudonyms(activity: Activity): Activity {
  const { who, whom } = activity;
  return {
    ...activity,
    ...(who === undefined ? {} : { who: personName(who) }),
    ...(whom === undefined ? {} : { whom: personName(whom) }),
  };
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
