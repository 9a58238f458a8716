/**
 * HITL for a service of your own, under its own domain. The service keeps nothing: holds and the hashes of their tokens live
 * in Holdpoint, and everything a request needs is in the request or in its hold.
 */

import type { ClientSource, Hold } from "@holdpoint/protocol/client";
import { defined, holdClientOf, isRefusal } from "@holdpoint/protocol/client";
import { hitlObject, holdIdOf } from "@holdpoint/protocol/hitl/case";
import {
  CASE_ID,
  chooseVersion,
  HITL_VERSION_HEADER,
  HITL_VERSIONS,
  HITL_VERSIONS_HEADER,
  type HitlVersion,
  isSafeUrl,
} from "@holdpoint/protocol/hitl/words";
import { runtimeOver } from "@holdpoint/protocol/http";
import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import { caseKey, inlineActions, ownerOf, placeOf, type ServiceAsk } from "./ask.ts";
import { type CaseHolds, findCase, type Identify, showStatus, withdraw } from "./case-routes.ts";
import { type Declared, declare, discovery, type HitlDeclaration, POLL_SECONDS } from "./declaration.ts";
import { streamEvents, type Timer } from "./event-route.ts";
import { forward, type Holdpoint, isFormOfBrowser, sendToPage } from "./forward.ts";
import { PollLimit } from "./poll-limit.ts";
import { json, refuse, refuseFor } from "./reply.ts";
import { type Chosen, choose, type ResultOptions, result, skipped } from "./results.ts";
import { METHODS, type Operation, routeOf } from "./routes.ts";
import { skillMarkdown } from "./skill.ts";

export interface HitlServiceOptions {
  /** Places and reads holds with this service's own key, over HTTP or in this process. */
  readonly holds: ClientSource<CaseHolds>;
  readonly holdpoint: Holdpoint;
  /** Names the agent behind a request by your own credentials; `undefined` for a caller without credentials. */
  readonly identify: Identify;
  /** `redirect` sends people to Holdpoint's page; `proxy` shows it under this domain, mounted at its root. */
  readonly reviewPage?: "redirect" | "proxy";
  /** Told of each request that chose to go without a person, for records of your own. Holdpoint has it on record anyway. */
  readonly onSkip?: (request: Request) => void | Promise<void>;
  /** For tests. */
  readonly timer?: Timer;
}

export interface HitlService {
  /** The 202 that asks for a person. Return it from your handler. */
  requireHuman(request: Request, ask: ServiceAsk): Promise<Response>;
  /**
   * What the request chose: a person, no person, or nothing that can be understood. Going without a person is put on record
   * first, as `what` (method and path unless said otherwise), and refused if it cannot be.
   */
  choose(request: Request, body?: JsonObject, what?: string): Promise<Chosen>;
  result(body: JsonObject, options?: ResultOptions): Response;
  skipped(body: JsonObject, options?: ResultOptions): Response;
  /** Serves the protocol's addresses; `undefined` for every other, which is yours. */
  handle(request: Request): Promise<Response | undefined>;
  discovery(version?: HitlVersion): JsonObject;
  skill(): string;
}

const DEED_LENGTH_MAX = 500;

/** The body without using it up, so that the handler can still read it. */
async function peek(request: Request): Promise<JsonObject> {
  if (request.bodyUsed || request.body === null) return {};
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined);
  return isObject(body) ? body : {};
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

class Service implements HitlService {
  readonly #declared: Declared;
  readonly #options: HitlServiceOptions & { readonly holds: CaseHolds };
  readonly #timer: Timer;
  readonly #polls: PollLimit;

  constructor(declaration: HitlDeclaration, options: HitlServiceOptions) {
    this.#declared = declare(declaration);
    this.#options = { ...options, holds: holdClientOf(options.holds) };
    this.#timer = options.timer ?? runtimeOver();
    this.#polls = new PollLimit(this.#timer);
    const isAtRoot = this.#declared.basePath === "";
    if (options.reviewPage === "proxy" && !isAtRoot)
      throw new TypeError(
        "The page can be shown under this domain only when the service is mounted at its root.",
      );
    if (!isSafeUrl(options.holdpoint.url))
      throw new TypeError("Holdpoint's address must be https, or on this machine.");
  }

  async requireHuman(request: Request, ask: ServiceAsk): Promise<Response> {
    const { holds, identify } = this.#options;
    const agent = await identify(request);
    if (agent === undefined) return refuse("unauthorized", "Send your credentials.");
    const body = ask.body ?? (await peek(request));
    const callback = body["hitl_callback_url"];
    if (callback !== undefined && !(typeof callback === "string" && isSafeUrl(callback)))
      return refuse("invalid_request", "hitl_callback_url must be https, or http on this machine.");
    const previous = await this.#previous(ask.previousCaseId ?? body["previous_case_id"], agent);
    if (previous instanceof Response) return previous;
    const given = ask.key ?? request.headers.get("idempotency-key");
    const key = given === null ? undefined : await caseKey(agent, given);
    const place = placeOf(this.#declared, ask, { agent, key, previous });
    const asked = request.headers.get(HITL_VERSION_HEADER) ?? text(body["hitl_spec_version"]);
    try {
      const hold = await holds.place(place);
      if (hold.erasedAt !== undefined)
        return refuse("invalid_request", "The case of this key is no longer kept: use a new key.");
      return await this.#accepted(hold, ask, chooseVersion(asked));
    } catch (error) {
      return refuseFor(error);
    }
  }

  /** The hold that a case follows. A case of another agent is treated as one that does not exist. */
  async #previous(caseId: unknown, agent: string): Promise<string | undefined | Response> {
    if (caseId === undefined || caseId === null) return undefined;
    const unknown = refuse("invalid_request", "previous_case_id names no case of yours.");
    if (typeof caseId !== "string" || !CASE_ID.test(caseId)) return unknown;
    try {
      const hold = await this.#options.holds.get(holdIdOf(caseId));
      return hold.caseId === caseId && ownerOf(hold.metadata) === agent ? hold.id : unknown;
    } catch (error) {
      return isRefusal(error, "not_found") ? unknown : refuseFor(error, caseId);
    }
  }

  async #accepted(hold: Hold, ask: ServiceAsk, version: HitlVersion): Promise<Response> {
    const { baseUrl, defaultTimeout } = this.#declared;
    const at = (operation: Operation) => `${baseUrl}/reviews/${hold.caseId}/${operation}`;
    const token = hold.reviewUrl === undefined ? null : new URL(hold.reviewUrl).searchParams.get("token");
    // A case that is over already gives no link; its poll address still tells what was decided.
    const review = `${baseUrl}/review/${hold.caseId}${token === null ? "" : `?token=${token}`}`;
    const hitl = hitlObject(
      hold,
      defined({
        version,
        timeout: ask.timeout ?? defaultTimeout,
        reminderAt: hold.ladder.filter((rung) => rung.kind === "reminder").map((rung) => rung.at),
        addresses: { review, poll: at("status"), events: at("events"), callback: null },
        inline: await this.#inline(hold, ask, version === "0.7" ? at("respond") : at("submit")),
      }),
    );
    const body = { status: "human_input_required", message: ask.message ?? ask.prompt, ...dataOf(ask), hitl };
    return json(202, body, { [HITL_VERSION_HEADER]: version, "retry-after": String(POLL_SECONDS) });
  }

  async #inline(hold: Hold, ask: ServiceAsk, url: string) {
    const actions = inlineActions(ask);
    if (actions.length === 0 || hold.status !== "open" || hold.links !== "agent") return undefined;
    try {
      const link = await this.#options.holds.makeLink(hold.id, { purpose: "submit", actions });
      return link.token === undefined ? undefined : { url, token: link.token, actions };
    } catch (error) {
      // Somebody was faster than this reply: the case stands, and its poll address tells how it ended.
      if (isRefusal(error, "already_settled") || isRefusal(error, "hold_expired")) return undefined;
      throw error;
    }
  }

  async choose(request: Request, body?: JsonObject, what = deedOf(request)): Promise<Chosen> {
    const chosen = choose(body ?? (await peek(request)), this.#declared.choiceRequired === true);
    if (chosen.kind !== "skip") return chosen;
    const { holds, identify, onSkip } = this.#options;
    const agent = await identify(request);
    try {
      await holds.recordSkip(defined({ what, agent }));
    } catch (error) {
      return { kind: "refused", response: refuseFor(error) };
    }
    await onSkip?.(request);
    return chosen;
  }

  result(body: JsonObject, options?: ResultOptions): Response {
    return result(body, options);
  }

  skipped(body: JsonObject, options?: ResultOptions): Response {
    return skipped(body, options);
  }

  async handle(request: Request): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    const route = routeOf(pathname, this.#declared.basePath);
    if (route === undefined) return undefined;
    if (route.kind === "case") return this.#case(request, route.operation, route.caseId);
    if (route.kind === "page") return this.#page(request, route.path);
    if (request.method !== "GET" && request.method !== "HEAD") return notAllowed(["GET", "HEAD"]);
    return route.kind === "discovery" ? this.#discovery(request) : this.#skill();
  }

  async #case(request: Request, operation: Operation, caseId: string): Promise<Response> {
    if (!METHODS[operation].includes(request.method)) return notAllowed(METHODS[operation]);
    const hasToken = new URL(request.url).searchParams.has("token");
    const isAgents =
      operation === "status" || operation === "events" || (operation === "cancel" && !hasToken);
    // What comes of a form is a page, and pages are where they can be answered again.
    if (operation === "respond" && this.#options.reviewPage !== "proxy" && isFormOfBrowser(request))
      return sendToPage(request, `/reviews/${caseId}/respond`, this.#options.holdpoint, 307);
    if (!isAgents) return this.#forward(request, `/reviews/${caseId}/${operation}`);
    const { holds, identify } = this.#options;
    const found = await findCase(request, caseId, holds, identify);
    if (found.kind === "refused") return found.response;
    if (operation === "status") return showStatus(request, found.hold, this.#polls.spend(caseId));
    if (operation === "events") return streamEvents(request, found.hold, holds, this.#timer);
    return withdraw(request, found.hold, holds);
  }

  #page(request: Request, path: string): Response | Promise<Response> {
    if (this.#options.reviewPage === "proxy") return this.#forward(request, path);
    // Only reading may be sent elsewhere; a form belongs to the page that showed it.
    if (request.method !== "GET" && request.method !== "HEAD") return notAllowed(["GET", "HEAD"]);
    return sendToPage(request, path, this.#options.holdpoint);
  }

  #forward(request: Request, path: string): Promise<Response> {
    return forward(request, path, { holdpoint: this.#options.holdpoint, baseUrl: this.#declared.baseUrl });
  }

  #discovery(request: Request): Response {
    const asked =
      new URL(request.url).searchParams.get("spec_version") ?? request.headers.get(HITL_VERSION_HEADER);
    const version = chooseVersion(asked);
    return json(200, this.discovery(version), {
      "cache-control": "public, max-age=86400",
      vary: HITL_VERSION_HEADER,
      [HITL_VERSION_HEADER]: version,
      [HITL_VERSIONS_HEADER]: HITL_VERSIONS.join(", "),
    });
  }

  #skill(): Response {
    const headers = {
      "content-type": "text/markdown; charset=utf-8",
      "cache-control": "public, max-age=86400",
    };
    return new Response(this.skill(), { headers });
  }

  discovery(version?: HitlVersion): JsonObject {
    return discovery(this.#declared, version);
  }

  skill(): string {
    return skillMarkdown(this.#declared);
  }
}

/** Without the query, which is more likely to name people. */
function deedOf({ method, url }: Request): string {
  return `${method} ${new URL(url).pathname}`.slice(0, DEED_LENGTH_MAX);
}

function dataOf(ask: ServiceAsk): JsonObject {
  return ask.data === undefined ? {} : { data: ask.data };
}

function notAllowed(methods: readonly string[]): Response {
  return refuse("method_not_allowed", `Use ${methods.join(" or ")}.`, { allow: methods.join(", ") });
}

/** The service side of the HITL Protocol: answers 202 with a review, and serves what the protocol promises under its addresses. */
export function hitlService(declaration: HitlDeclaration, options: HitlServiceOptions): HitlService {
  return new Service(declaration, options);
}
