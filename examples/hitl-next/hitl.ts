/** One declaration for all route files. */

import { hitlService } from "@holdpoint/hitl/service";
import { Holdpoint } from "@holdpoint/sdk";

/** Who may call this service; a real one has a table of keys. */
const AGENTS: ReadonlyMap<string, string> = new Map([["Bearer agent-of-ada", "ada-assistant"]]);

export function agentOf(request: Request): string | undefined {
  return AGENTS.get(request.headers.get("authorization") ?? "");
}

/** HOLDPOINT_URL and HOLDPOINT_API_KEY, or the credentials of the server on this machine. */
export const holds = new Holdpoint();

export const hitl = hitlService(
  {
    baseUrl: process.env["BASE_URL"] ?? "http://localhost:4202",
    name: "Letters",
    description: "Sends letters for people.",
    types: ["confirmation"],
  },
  {
    holds,
    holdpoint: { url: process.env["HOLDPOINT_URL"] ?? "http://localhost:4100" },
    identify: agentOf,
  },
);
