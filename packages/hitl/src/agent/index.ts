/**
 * @module
 * The agent's side of the HITL Protocol: notice that a service wants a person to decide, bring the review to that person,
 * wait for as long as it takes, and go on with the answer.
 *
 * @example
 * ```ts
 * import { accessWith, byMessage, hitlAgent } from "@holdpoint/hitl/agent";
 *
 * const agent = hitlAgent({
 *   access: accessWith({ credentials: { "https://api.shop.example": { authorization: `Bearer ${key}` } } }),
 *   deliver: byMessage(({ text }) => bot.send(chat, text)),
 * });
 * const called = await agent.call(() => fetch("https://api.shop.example/orders", init));
 * if (called.kind === "settled" && called.decision.kind === "completed") use(called.decision.action);
 * ```
 */
export type { Access, AccessOptions, Fetch } from "./access.ts";
export { accessWith } from "./access.ts";
export type { ActionMemory, Called, CallOptions, HitlAgent, HitlAgentOptions } from "./agent.ts";
export { hitlAgent } from "./agent.ts";
export type { CallbackInbox, ReadCallback } from "./callback.ts";
export { callbackInbox, readCallback, verifyCallback } from "./callback.ts";
export type { CaseBook, CaseShelf, Listed } from "./case-book.ts";
export { caseBook } from "./case-book.ts";
export type { ChainOptions, ChainOutcome, Completed, Revise, ReviseInput, Round } from "./chain.ts";
export { followChain } from "./chain.ts";
export type { Clock } from "./clock.ts";
export type { Deliver } from "./deliver.ts";
export { byBrowser, byButtons, byMessage, byTerminal } from "./deliver.ts";
export type { HitlErrorKind } from "./errors.ts";
export { HitlError, isHitlError } from "./errors.ts";
export type { HumanAction, Tap } from "./human-action.ts";
export { humanAction } from "./human-action.ts";
export type { Improved, ImproveOptions, Suggestion } from "./improve.ts";
export { improve, suggestionsOf } from "./improve.ts";
export type { FormSummary, Occasion, ReviewMessage } from "./message.ts";
export { formSummary, reviewMessage } from "./message.ts";
export type { Decision, Open, Progress } from "./poll.ts";
export type { Detected, InlineSubmit, Review } from "./review.ts";
export { detectReview, readReview } from "./review.ts";
export type { SubmitOptions, Submitted } from "./submit.ts";
export { submitInline } from "./submit.ts";
export type { WaitOptions } from "./wait.ts";
export { waitForDecision } from "./wait.ts";
