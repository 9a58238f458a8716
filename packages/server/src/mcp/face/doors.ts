/** Who may come in at `/mcp`: an agent with its key or, where an issuer is configured, with one of its access tokens. */

import { type Arrival, byCredentials, type PrincipalAuthority } from "../../faces/http/authority.ts";
import { fail, HttpFailure } from "../../faces/http/failure.ts";
import { type AccessTokens, BadToken } from "../../identity/access-tokens.ts";
import { METADATA_PATH } from "./operations.ts";
import type { McpDeps } from "./routes.ts";

export const mcpDoors = {
  async mcp(arrival: Arrival, { tokens, publicUrl }: McpDeps): Promise<PrincipalAuthority> {
    if (tokens === undefined) return byCredentials(arrival);
    const token = jwtIn(arrival.c.req.header("authorization"));
    if (token !== undefined) return byToken(token, arrival, tokens, publicUrl);
    try {
      return await byCredentials(arrival);
    } catch (fault) {
      if (!(fault instanceof HttpFailure) || fault.failure.code !== "unauthenticated") throw fault;
      const challenge = await challengeFor("no valid credential was sent", "InvalidToken", tokens, publicUrl);
      throw new HttpFailure(fault.failure, { ...fault.transport, challenge });
    }
  },
} as const;

/** No key has the shape of a signed JWT: three parts with dots between them. */
function jwtIn(authorization: string | undefined): string | undefined {
  return /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? "")?.[1];
}

async function byToken(
  token: string,
  { c, ip, identity }: Arrival,
  tokens: AccessTokens,
  publicUrl: string,
): Promise<PrincipalAuthority> {
  const refused = async (error: "InvalidToken" | "InsufficientScope", words: string) => {
    const code = error === "InvalidToken" ? "unauthenticated" : "not_allowed";
    return fail(code, words, {}, { challenge: await challengeFor(words, error, tokens, publicUrl) });
  };
  const { config } = tokens;
  const found = await tokens.read(token).catch((fault: unknown) => {
    if (fault instanceof BadToken) return fault;
    throw fault;
  });
  if (found instanceof BadToken) {
    const retryAfterMs = found.isExpired ? undefined : identity.wrongToken(ip);
    if (retryAfterMs !== undefined)
      throw fail("rate_limited", "too many wrong tokens; wait before trying again", {}, { retryAfterMs });
    throw await refused("InvalidToken", found.message);
  }
  const { owner, scopes } = found;
  if (!scopes.includes(config.scope))
    throw await refused("InsufficientScope", `the token lacks the scope ${config.scope}`);
  const name = Object.hasOwn(config.agents, owner) ? config.agents[owner] : undefined;
  if (name === undefined)
    throw fail(
      "not_allowed",
      `no agent belongs to this token; name its ${config.agentClaim} under mcp.oauth.agents`,
    );
  const claimed = c.req.header("x-agent-id");
  if (claimed !== undefined && claimed !== name)
    throw fail("agent_mismatch", `this token belongs to the agent ${name}; leave X-Agent-ID out`);
  const by = { role: "agent", via: "key", id: `oauth:${owner}`, name } as const;
  return { kind: "principal", workspace: config.workspace, by };
}

/** The header by which an MCP client finds out where to get a token, as the SDK writes it. */
async function challengeFor(
  words: string,
  error: "InvalidToken" | "InsufficientScope",
  { config }: AccessTokens,
  publicUrl: string,
): Promise<string> {
  const { bearerAuthChallengeResponse, OAuthError, OAuthErrorCode } = await import(
    "@modelcontextprotocol/server"
  );
  const reply = bearerAuthChallengeResponse(new OAuthError(OAuthErrorCode[error], words), {
    requiredScopes: [config.scope],
    resourceMetadataUrl: `${publicUrl}${METADATA_PATH}`,
  });
  return reply.headers.get("www-authenticate") ?? "Bearer";
}
