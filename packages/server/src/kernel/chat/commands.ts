/** Commands about chat messages. The server itself gives them: the person who pressed is in the command, not its principal. */

import type { Principal } from "../principal.ts";
import type { ChatMessage, MessageRef, Presser } from "./chat.ts";

interface By {
  readonly workspace: string;
  readonly by: Principal;
}

/** Stores the message and its buttons before it is sent. */
export interface MakeChatMessage extends By {
  readonly kind: "make_chat_message";
  readonly holdId: string;
  readonly message: Pick<
    ChatMessage,
    "id" | "channel" | "delivery" | "attempt" | "buttons" | "to" | "isDirect"
  >;
}

/** The platform has accepted the message. */
export interface NoteChatSent extends By {
  readonly kind: "note_chat_sent";
  readonly holdId: string;
  readonly messageId: string;
  readonly ref: MessageRef;
}

/** The message shows how the hold ended, and has no buttons any more. */
export interface NoteChatClosed extends By {
  readonly kind: "note_chat_closed";
  readonly holdId: string;
  readonly messageId: string;
}

/** Ids and salts for whatever an answer may need. */
interface Fresh {
  readonly questionId: string;
  readonly grantId: string;
  readonly grantSalt: string;
}

export interface PressChat extends By {
  readonly kind: "press_chat";
  readonly channel: string;
  /** The platform's own id of the press. */
  readonly press: string;
  readonly messageId: string;
  /** The number of the button. */
  readonly button: number;
  readonly ref: MessageRef;
  readonly presser: Presser;
  readonly fresh: Fresh;
}

/** The person filled in a dialog, replied to a question, or pressed a button under it. */
export interface ReplyChat extends By {
  readonly kind: "reply_chat";
  readonly channel: string;
  readonly press: string;
  readonly questionId: string;
  /** Absent: the person declined. */
  readonly values?: Readonly<Record<string, string>>;
  readonly presser: Presser;
  readonly fresh: Fresh;
}

/** A question was sent as a message: a reply to that message answers it. */
export interface NoteChatAsked extends By {
  readonly kind: "note_chat_asked";
  readonly questionId: string;
  readonly ref: MessageRef;
}

export interface DropChatQuestion extends By {
  readonly kind: "drop_chat_question";
  readonly questionId: string;
}

/** The record of a press is no longer needed. */
export interface DropChatPress extends By {
  readonly kind: "drop_chat_press";
  readonly pressId: string;
}

/** Takes or renews the lease of a bot's inbound connection. */
export interface TakeListener extends By {
  readonly kind: "take_listener";
  readonly name: string;
  readonly holder: string;
  readonly leaseMs: number;
}

export interface LeaveListener extends By {
  readonly kind: "leave_listener";
  readonly name: string;
  readonly holder: string;
}

export type ChatCommand =
  | MakeChatMessage
  | NoteChatSent
  | NoteChatClosed
  | PressChat
  | ReplyChat
  | NoteChatAsked
  | DropChatQuestion
  | DropChatPress
  | TakeListener
  | LeaveListener;
