/** What a person is told: the question, what awaits them behind the link, and until when. Never a value they entered. */

import { type Form, fieldsOf, visibleText } from "@holdpoint/protocol/rules";
import { formOf, type Review } from "./review.ts";

export interface FormSummary {
  readonly fields: number;
  readonly required: number;
  readonly steps: readonly string[];
}

/** How large a form is: fields, required ones, steps. */
export function formSummary(form: Form): FormSummary {
  const fields = fieldsOf(form);
  return {
    fields: fields.length,
    required: fields.filter((field) => field.required === true).length,
    steps: (form.steps ?? []).map((step) => step.title),
  };
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

export function formLine(form: Form): string {
  const { fields, required, steps } = formSummary(form);
  const size = `${count(fields, "field")}, ${required} required`;
  return steps.length === 0
    ? `Form: ${size}`
    : `Form: ${size}, ${count(steps.length, "step")}: ${steps.join(" → ")}`;
}

/** Text from elsewhere may carry escape sequences that a terminal obeys, and characters that nobody sees; both are marked (G15). */
export function printable(text: string): string {
  return visibleText(text);
}

/** The question as it was put, with the service's own words around it where they add something. */
export function question(review: Review): string {
  const message = review.message?.trim() ?? "";
  const prompt = review.prompt.trim();
  if (message === "" || message === prompt) return printable(prompt);
  return printable(message.includes(prompt) ? message : `${message}\n\n${prompt}`);
}

function deadline(review: Review): string {
  const until = new Date(review.expiresAt).toISOString().slice(0, 16).replace("T", " ");
  return `Open until ${until} UTC, then: ${review.defaultAction}.`;
}

export interface ReviewMessage {
  /** Everything but the link, for channels that show links their own way. */
  readonly body: string;
  readonly url: string;
  /** The body with the question itself first, for channels that have to cut it: what is cut is what stands around the question. */
  readonly essence: string;
  /** The whole message, link included. */
  readonly text: string;
}

export type Occasion = "first" | "reminder";

/** The review as a message in plain text, for any chat. */
export function reviewMessage(review: Review, occasion: Occasion = "first"): ReviewMessage {
  const form = formOf(review);
  const reminder = occasion === "reminder" ? ["Reminder: this still waits for you."] : [];
  const size = form === undefined ? [] : [printable(formLine(form))];
  const around = printable(review.message?.trim() ?? "");
  const body = [...reminder, question(review), ...size, deadline(review)].join("\n\n");
  const asked = printable(review.prompt.trim());
  const essence = [...reminder, asked, deadline(review), ...size, around].join("\n\n").trimEnd();
  return { body, essence, url: review.reviewUrl, text: `${body}\n\nDecide here: ${review.reviewUrl}` };
}
