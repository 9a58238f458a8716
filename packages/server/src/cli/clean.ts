/** Text from agents, servers and strangers, made harmless for a terminal. */

import { escapeUnseen, visibleText } from "@holdpoint/protocol/rules";

/** Escape sequences could repaint what a person is about to approve, and unseen characters could make it read otherwise (G15). */
export function clean(text: string): string {
  return visibleText(text);
}

/** JSON with the same characters escaped: a program reads back exactly what was said, and a terminal is not repainted. */
export function jsonText(value: unknown): string {
  return escapeUnseen(JSON.stringify(value));
}
