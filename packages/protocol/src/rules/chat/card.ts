/**
 * What a chat message about a hold shows, before any platform's shape. The server builds one card for a message; each platform
 * only renders it into its own payload. A card carries no secret and no authority: a button's id names a row in the server's
 * database, and that row is checked when somebody presses.
 */

import type { Style } from "../ask.ts";

export interface Card {
  /** One short line: "Approval needed", or "Reminder: approval needed". */
  readonly title: string;
  /** The name of the agent or app that asks. */
  readonly askedBy: string;
  /** The question. Plain text from the agent: a platform must escape its own markup in it. */
  readonly prompt: string;
  /** The context of the ask, in order; empty where the channel may not show it. */
  readonly blocks: readonly CardBlock[];
  /** Remarks of the server: what is not shown here and why. */
  readonly notes: readonly string[];
  /** The votes so far: "1 of 2 · Ada approved". */
  readonly votes?: string;
  /** When the hold expires, in epoch milliseconds; `null`: never. */
  readonly expiresAt: number | null;
  readonly state: CardState;
  /** In the order in which they are shown. A closed card has none. */
  readonly buttons: readonly CardButton[];
}

export type CardState =
  | { readonly kind: "open" }
  /** `text` says how it ended and, only if a person decided, by whom: "Approved by Ada". */
  | { readonly kind: "closed"; readonly ending: CardEnding; readonly text: string };

/** For the colour or symbol of a closed message. */
export type CardEnding = "granted" | "refused" | "expired" | "cancelled";

/** A piece of context. `code`, `diff` and `table` are shown in a fixed-width font. */
export interface CardBlock {
  readonly label?: string;
  readonly style: "plain" | "code" | "diff" | "table";
  readonly text: string;
}

export interface CardButton {
  /** Opaque, at most 64 bytes of ASCII; what the platform returns when somebody presses. */
  readonly id: string;
  readonly label: string;
  readonly style: Style;
}

/** A question to the one person who pressed a button. Only the server reads what comes back. */
export interface CardQuestion {
  /** Opaque, at most 64 bytes of ASCII; comes back with the reply. */
  readonly id: string;
  /** At most 24 characters, for the title of a dialog. */
  readonly title: string;
  /** What the person is asked, in plain words. */
  readonly text: string;
  /** What to fill in; empty: the person only confirms with one of `buttons`. */
  readonly fields: readonly CardField[];
  /** The label of the button that submits. */
  readonly submit: string;
  /** Where the platform has no dialog: buttons under the question, for a question without fields. */
  readonly buttons: readonly CardButton[];
}

export interface CardField {
  readonly key: string;
  readonly label: string;
  readonly kind: "line" | "text" | "choice";
  readonly isRequired: boolean;
  readonly maxLength?: number;
  readonly hint?: string;
  /** For `choice`. */
  readonly options?: readonly { readonly id: string; readonly label: string }[];
}
