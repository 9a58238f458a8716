/** What fits into a message of each platform. The HITL library and the server render with the same numbers. */

/** How much Telegram takes, in characters; `callbackDataBytes` in bytes. */
export const TELEGRAM_LIMITS = { text: 4096, buttonText: 64, callbackDataBytes: 64 } as const;

/** How much Slack takes, in characters; `buttons` by number. */
export const SLACK_LIMITS = {
  sectionText: 3000,
  buttonText: 75,
  value: 2000,
  url: 3000,
  buttons: 25,
} as const;

/** How much Discord takes, in characters; `perRow` and `buttons` by number. */
export const DISCORD_LIMITS = {
  content: 2000,
  label: 80,
  customId: 100,
  url: 512,
  perRow: 5,
  buttons: 40,
} as const;

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}
