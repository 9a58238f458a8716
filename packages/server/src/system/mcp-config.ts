/** What `holdpoint.yaml` says about the MCP server under `mcp`. */

import * as z from "zod";
import { ConfigError } from "./yaml-file.ts";

const Name = z.string().min(1).max(100);

export const McpFile = z.strictObject({
  /** Besides keys, access tokens of this issuer are accepted at `/mcp`. */
  oauth: z
    .strictObject({
      issuer: z.url({ protocol: /^https?$/ }).max(2_048),
      /** Who the tokens are for; absent: the address of `/mcp`. */
      audience: z.string().min(1).max(2_048).optional(),
      /** A token without this scope is refused. */
      scope: z
        .string()
        .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/)
        .optional(),
      /** The claim that says whose token it is: `client_id`, or `sub` where clients register themselves. */
      agent_claim: Name.optional(),
      /** Value of that claim → name of the agent. A token that is not listed gives nothing. */
      agents: z.record(z.string().min(1).max(1_000), z.string().min(1).max(200)),
      workspace: Name.optional(),
    })
    .optional(),
});

export interface McpOAuth {
  readonly issuer: string;
  readonly audience?: string;
  readonly scope: string;
  readonly agentClaim: string;
  readonly agents: Readonly<Record<string, string>>;
  readonly workspace: string;
}

export function readMcp(file: z.infer<typeof McpFile> | undefined): McpOAuth | undefined {
  const oauth = file?.oauth;
  if (oauth === undefined) return undefined;
  const { issuer, audience, agents, scope = "holdpoint", agent_claim: agentClaim = "client_id" } = oauth;
  const { protocol, hostname } = new URL(issuer);
  if (protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
    throw new ConfigError("mcp.oauth.issuer must start with https:// unless it is on this machine");
  if (Object.values(agents).includes("*"))
    throw new ConfigError("mcp.oauth.agents: a token stands for one agent; * is not a name");
  return {
    ...{ issuer, scope, agentClaim, agents, workspace: oauth.workspace ?? "default" },
    ...(audience === undefined ? {} : { audience }),
  };
}
