/**
 * What receivers with a format of their own are sent: Teams Workflows, PagerDuty Events v2 and ntfy.
 *
 * P1  Many people read these, and their services store what they are sent. So a message has no review link, only the
 *     hold's address in the console, where people sign in.
 * P2  Nothing in a message decides: its only action opens the console.
 * P3  The prompt is shown as it is, never as Markdown, so that it cannot hide a link.
 */

import type { WebhookPreset } from "../../kernel/server/webhook-channel.ts";
import type { Closing, Notice } from "../channel.ts";
import { shorten } from "../shorten.ts";

export type PresetName = WebhookPreset;

export interface PresetConfig {
  readonly url: string;
  /** PagerDuty's routing key, or ntfy's access token. */
  readonly secret: string | undefined;
}

/** What a trial message says. */
export interface Trial {
  /** The name of the channel. */
  readonly channel: string;
  readonly text: string;
}

export interface PresetPost {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
}

export interface Preset {
  /** What is wrong with the settings, or `null`. */
  whyNot(config: PresetConfig): string | null;
  post(notice: Notice, config: PresetConfig): PresetPost;
  /** Tries the address and the secret before the channel is kept. It asks nothing and wakes nobody. */
  trial(trial: Trial, config: PresetConfig): PresetPost;
  /** Closes what was posted about a hold that has ended. Absent: the receiver cannot. */
  close?(closing: Closing, config: PresetConfig): PresetPost;
}

const teams: Preset = {
  whyNot: ({ secret }) =>
    secret === undefined
      ? null
      : "a Teams Workflows URL carries its own signature; leave the secret out (in the file, remove secret_env)",
  post: (notice, { url }) => ({ url, body: cardMessage(cardOf(notice)) }),
  trial: ({ text: words }, { url }) => ({ url, body: cardMessage({ body: [text(words)] }) }),
};

function cardMessage(card: object): object {
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    ...card,
  };
  const contentType = "application/vnd.microsoft.card.adaptive";
  return { type: "message", attachments: [{ contentType, contentUrl: null, content }] };
}

/** A TextBlock would read Markdown; the text of a RichTextBlock is shown as it is (P3). */
function text(words: string, style: object = {}): object {
  return { type: "RichTextBlock", inlines: [{ type: "TextRun", text: words, ...style }] };
}

function cardOf(notice: Notice): object {
  return {
    body: [
      text(titleOf(notice), { weight: "Bolder" }),
      text(notice.prompt),
      ...(notice.expiresAt === null
        ? []
        : [text(`Open until ${timeOf(notice.expiresAt)}`, { isSubtle: true, size: "Small" })]),
    ],
    actions: [{ type: "Action.OpenUrl", title: "Open", url: notice.reviewUrl }],
  };
}

const SUMMARY_LENGTH_MAX = 1_024;

const pagerduty: Preset = {
  whyNot: ({ secret }) =>
    secret === undefined
      ? "PagerDuty needs the integration's routing key as its secret (in the file, name its variable in secret_env)"
      : null,
  post: (notice, { url, secret }) => ({
    url,
    body: {
      routing_key: secret,
      event_action: "trigger",
      // Reminders belong to the same alert.
      dedup_key: notice.holdId,
      client: "Holdpoint",
      client_url: notice.reviewUrl,
      links: [{ href: notice.reviewUrl, text: "Open" }],
      payload: {
        summary: shorten(`${titleOf(notice)}: ${notice.prompt}`, SUMMARY_LENGTH_MAX),
        source: notice.askedBy,
        severity: "warning",
        component: notice.workspace,
        class: notice.type,
        custom_details: {
          hold_id: notice.holdId,
          attempt: notice.attempt,
          expires_at: notice.expiresAt === null ? null : timeOf(notice.expiresAt),
        },
      },
    },
  }),
  // Resolving an alert that does not exist tries the routing key and pages nobody.
  trial: ({ channel }, { url, secret }) => ({
    url,
    body: { routing_key: secret, event_action: "resolve", dedup_key: `holdpoint-trial-${channel}` },
  }),
  close: ({ holdId }, { url, secret }) => ({
    url,
    body: { routing_key: secret, event_action: "resolve", dedup_key: holdId },
  }),
};

/** ntfy turns a message of more than 4,096 bytes into a file; a character has at most four. */
const NTFY_LENGTH_MAX = 1_000;
const NTFY_TITLE_LENGTH_MAX = 200;
const NTFY_HIGH = 4;
/** Without sound and vibration. */
const NTFY_LOW = 2;

const ntfy: Preset = {
  whyNot: ({ url }) =>
    topicOf(url) === null ? "url must end with the topic: https://ntfy.example.com/my-topic" : null,
  post: (notice, config) =>
    ntfyPost(config, {
      title: shorten(titleOf(notice), NTFY_TITLE_LENGTH_MAX),
      message: shorten(notice.prompt, NTFY_LENGTH_MAX),
      priority: NTFY_HIGH,
      click: notice.reviewUrl,
      actions: [{ action: "view", label: "Open", url: notice.reviewUrl }],
    }),
  trial: ({ text: message }, config) => ntfyPost(config, { title: "Holdpoint", message, priority: NTFY_LOW }),
};

function ntfyPost({ url, secret }: PresetConfig, message: object): PresetPost {
  const found = topicOf(url);
  return {
    url: found?.root ?? url,
    ...(secret === undefined ? {} : { headers: { authorization: `Bearer ${secret}` } }),
    body: { topic: found?.topic, ...message },
  };
}

/** Messages in JSON go to the server's root and name the topic. */
function topicOf(text: string): { readonly root: string; readonly topic: string } | null {
  const url = URL.parse(text);
  const [, before, topic] = /^(.*\/)([\w-]{1,64})$/.exec(url?.pathname ?? "") ?? [];
  return url === null || before === undefined || topic === undefined
    ? null
    : { root: url.origin + before, topic };
}

export const PRESET: Readonly<Record<PresetName, Preset>> = { teams, pagerduty, ntfy };

function titleOf({ attempt, askedBy }: Notice): string {
  return attempt === 1 ? `${askedBy} asks` : `Reminder ${attempt}: ${askedBy} asks`;
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
