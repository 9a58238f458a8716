/**
 * @module
 * HITL for an API of your own: answer a request with "a person must decide", and serve what agents and people then ask for,
 * under your own domain. Holdpoint keeps the cases; this library keeps nothing.
 *
 * @example
 * ```ts
 * import { Holdpoint } from "@holdpoint/sdk";
 * import { hitlService } from "@holdpoint/hitl/service";
 *
 * const hitl = hitlService(
 *   { baseUrl: "https://mail.example", name: "Mail", description: "Sends letters.", inline: true },
 *   { holds: new Holdpoint(), holdpoint: { url: "https://holdpoint.example" }, identify: (request) => agentOf(request) },
 * );
 *
 * export default {
 *   async fetch(request: Request): Promise<Response> {
 *     const own = await hitl.handle(request);
 *     if (own !== undefined) return own;
 *     return hitl.requireHuman(request, { type: "confirmation", prompt: "Send 3 letters?", inline: true });
 *   },
 * };
 * ```
 */
export { caseKey, type ServiceAsk } from "./ask.ts";
export type { CaseHolds, Identify } from "./case-routes.ts";
export type { HitlDeclaration } from "./declaration.ts";
export type { NodeRequest, NodeResponse } from "./express.ts";
export { expressHitl, sendResponse, toRequest } from "./express.ts";
export type { Holdpoint as HoldpointAddress } from "./forward.ts";
export { honoHitl } from "./hono.ts";
export { nextHitl } from "./next.ts";
export type { Chosen, ResultOptions } from "./results.ts";
export type { HitlService, HitlServiceOptions } from "./service.ts";
export { hitlService } from "./service.ts";
