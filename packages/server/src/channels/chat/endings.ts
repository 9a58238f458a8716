/** The symbol of a closed message, the same on every platform. */

import type { CardEnding } from "@holdpoint/protocol/chat";

export const ENDING_SYMBOLS: Readonly<Record<CardEnding, string>> = {
  granted: "✅",
  refused: "⛔",
  expired: "⌛",
  cancelled: "🚫",
};
