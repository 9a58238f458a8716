/** What the MCP server says about its tools. It is told to people and to the rules, which let it add questions only. */

import { isJsonObject, jsonWithin } from "./bounded-json.ts";
import type { Open, Request, Response } from "./messages.ts";

export interface KnownTool {
  readonly annotations?: Open;
  readonly inputSchema?: Open;
  readonly hasOutputSchema: boolean;
}

const UNKNOWN: KnownTool = { hasOutputSchema: false };
/** A server that never ends its list must not keep a call waiting for ever. */
const PAGES_MAX = 50;

export class ToolCatalog {
  readonly #ask: (params: Request["params"]) => Promise<Response>;
  #tools = new Map<string, KnownTool>();

  constructor(ask: (params: Request["params"]) => Promise<Response>) {
    this.#ask = ask;
  }

  /** Reads a reply to `tools/list` that passes by. */
  learn(result: Open): void {
    const { tools } = result;
    if (!Array.isArray(tools)) return;
    for (const tool of tools) if (isJsonObject(tool)) this.#tools.set(String(tool["name"]), known(tool));
  }

  forget(): void {
    this.#tools = new Map();
  }

  /** What is known without asking. */
  known(name: string): KnownTool | undefined {
    return this.#tools.get(name);
  }

  /** Lists the tools itself if the client has not done so. `meta` is the call's own, which the newest revision requires. */
  async find(name: string, meta: unknown): Promise<KnownTool> {
    if (!this.#tools.has(name)) await this.#list(isJsonObject(meta) ? { _meta: withoutToken(meta) } : {});
    return this.#tools.get(name) ?? UNKNOWN;
  }

  async #list(base: Open): Promise<void> {
    let cursor: unknown;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const reply = await this.#ask({ ...base, ...(typeof cursor === "string" ? { cursor } : {}) });
      if (!("result" in reply)) return;
      this.learn(reply.result);
      cursor = reply.result["nextCursor"];
      if (typeof cursor !== "string") return;
    }
  }
}

/** Progress of the gateway's own request is nobody's. */
function withoutToken(meta: Open): Open {
  const { progressToken: _own, ...rest } = meta;
  return rest;
}

function known({ annotations, inputSchema, outputSchema }: Open): KnownTool {
  return {
    hasOutputSchema: outputSchema !== undefined,
    ...(isJsonObject(annotations) && jsonWithin(annotations) ? { annotations } : {}),
    ...(isJsonObject(inputSchema) && jsonWithin(inputSchema) ? { inputSchema } : {}),
  };
}
