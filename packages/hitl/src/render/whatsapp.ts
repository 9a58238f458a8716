/** WhatsApp Cloud API: the body of a message, without the recipient. */

import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import { fit, fitsWhole, withLink } from "./fit.ts";
import { type Messenger, noteFor } from "./messenger.ts";
import { type Button, planFor } from "./plan.ts";
import { fittingName, readUnderscores, tapOf } from "./reference.ts";

/** How much WhatsApp takes, in characters; `buttons` by number. */
export const WHATSAPP_LIMITS = { bodyText: 1024, text: 4096, title: 20, replyId: 256, buttons: 3 } as const;

const BASE: JsonObject = { messaging_product: "whatsapp", recipient_type: "individual" };

/** A preview would have the platform fetch the review page. */
function textMessage(body: string): JsonObject {
  return { ...BASE, type: "text", text: { preview_url: false, body } };
}

function replyButton(button: Button, id: string): JsonObject {
  return { type: "reply", reply: { id, title: fit(button.label, WHATSAPP_LIMITS.title) } };
}

/** The profile name stands beside the message, in the contacts of the same delivery. */
function nameOf(value: JsonObject, from: string): unknown {
  const contacts = Array.isArray(value["contacts"]) ? value["contacts"] : [];
  const contact = contacts.find((one) => isObject(one) && one["wa_id"] === from);
  const profile = isObject(contact) ? contact["profile"] : undefined;
  return isObject(profile) ? profile["name"] : undefined;
}

/** Reviews as WhatsApp messages with reply buttons. */
export const whatsapp: Messenger = {
  name: "whatsapp",

  render(listed, occasion = "first") {
    const plan = planFor(listed, occasion);
    const { url } = plan.link;
    const buttons = plan.buttons.slice(0, WHATSAPP_LIMITS.buttons);
    // Reply buttons hold no address, so the link stands in the text; where both would not fit whole there are no buttons.
    if (buttons.length === 0 || !fitsWhole(plan.text, url, WHATSAPP_LIMITS.bodyText)) {
      const isWhole = fitsWhole(plan.text, url, WHATSAPP_LIMITS.text);
      return textMessage(withLink(isWhole ? plan.text : plan.essence, url, WHATSAPP_LIMITS.text));
    }
    const replies = buttons.map((button) => {
      const write = (name: string) => `hitl_${name}_${button.action}`;
      return replyButton(button, fittingName(listed, WHATSAPP_LIMITS.replyId, write));
    });
    return {
      ...BASE,
      type: "interactive",
      interactive: {
        type: "button",
        body: { text: withLink(plan.text, url, WHATSAPP_LIMITS.bodyText) },
        action: { buttons: replies },
      },
    };
  },

  /** Takes the `value` of a change: messages and the contacts they came from. */
  readTap(value) {
    if (!isObject(value) || !Array.isArray(value["messages"])) return undefined;
    for (const message of value["messages"]) {
      const interactive = isObject(message) ? message["interactive"] : undefined;
      const reply = isObject(interactive) ? interactive["button_reply"] : undefined;
      const from = isObject(message) ? message["from"] : undefined;
      const read = isObject(reply) ? readUnderscores(reply["id"]) : undefined;
      if (read === undefined || typeof from !== "string") continue;
      return tapOf("whatsapp", read, from, nameOf(value, from));
    }
    return undefined;
  },

  settle(listed, tap, submitted) {
    const note = noteFor(listed, tap, submitted);
    if (note === undefined) return { kind: "keep" };
    const room = WHATSAPP_LIMITS.text;
    const text = note.keepLink ? withLink(note.text, listed.review.reviewUrl, room) : fit(note.text, room);
    return { kind: "send", payload: textMessage(text) };
  },
};
