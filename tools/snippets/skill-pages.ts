/**
 * What an agent reads in our skill is cut short: names of the reader's own stand in it. Here they are, block by block, so that
 * the rest compiles as it stands.
 */

const SERVICE = `
import type { HitlService } from "@holdpoint/hitl/service";
declare const hitl: HitlService;`;

export const SKILL_PAGES: Readonly<Record<string, readonly string[]>> = {
  "skills/holdpoint/references/agent.md": [
    `declare const key: string;
declare const request: RequestInit;
declare function send(text: string): Promise<void>;
declare function store(review: unknown): void;
declare function orderAgain(data: unknown, previousCaseId: string): Promise<Response>;`,
    `declare const chat_id: number;
declare const update: unknown;
declare function call(method: string, body: object): Promise<void>;
declare function edit(payload: unknown): Promise<void>;`,
    `import type { Deliver } from "@holdpoint/hitl/agent";
declare const secret: string;
declare const deliver: Deliver;`,
  ],
  "skills/holdpoint/references/service.md": [
    "declare function agentOf(request: Request): string | undefined;",
    `${SERVICE}
declare function sendNow(body: unknown): Promise<{ sent: number }>;`,
    `import type { Express } from "express";
import type { Hono } from "hono";
${SERVICE}
declare const honoApp: Hono;
declare const expressApp: Express;
declare const base: string;
declare function sendLetters(request: Request): Promise<Response>;`,
  ],
};
