/** A service of somebody's own over holds in memory, and requests to it by the agent `a1`. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { ServiceAsk } from "../service/ask.ts";
import type { HitlDeclaration } from "../service/declaration.ts";
import { type HitlServiceOptions, hitlService } from "../service/service.ts";
import { HOLDPOINT_URL, MemoryHolds } from "./memory-holds.ts";

export const BASE = "https://shop.example";
const DECLARATION: HitlDeclaration = {
  baseUrl: BASE,
  name: "Shop",
  description: "Sells things.",
  inline: true,
};
export const ASK: ServiceAsk = { type: "confirmation", prompt: "Send three letters?" };

const identify = (request: Request) => request.headers.get("x-agent") ?? undefined;

export function trigger(body: JsonObject = {}, headers: HeadersInit = {}): Request {
  return new Request(`${BASE}/orders`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", "x-agent": "a1", ...headers },
  });
}

export function setUp(declaration: Partial<HitlDeclaration> = {}, options: Partial<HitlServiceOptions> = {}) {
  const holds = new MemoryHolds();
  const service = hitlService(
    { ...DECLARATION, ...declaration },
    { holds, holdpoint: { url: HOLDPOINT_URL }, identify, ...options },
  );
  const ask = async (more: Partial<ServiceAsk> = {}, request = trigger()) => {
    const response = await service.requireHuman(request, { ...ASK, ...more });
    const body = (await response.json()) as JsonObject;
    return { response, body, hitl: body["hitl"] as JsonObject };
  };
  const get = async (path: string, headers: HeadersInit = {}, method = "GET") =>
    (await service.handle(
      new Request(`${BASE}${path}`, { method, headers: { "x-agent": "a1", ...headers } }),
    ))!;
  return { holds, service, ask, get };
}

export function decide(holds: MemoryHolds, action = "confirm"): void {
  const by = { kind: "link", id: "l" } as const;
  holds.end(holds.latest().id, {
    kind: "decided",
    action,
    data: {},
    by,
    door: "page",
    at: "2026-03-01T10:05:00.000Z",
  });
}
