/** The MCP server over streamable HTTP. */

import type { Face } from "../../faces/http/face.ts";
import { mountRoutes } from "../../faces/http/mount.ts";
import { mcpDoors } from "./doors.ts";
import { mcpDialect } from "./errors.ts";
import { MCP_SET, METADATA_PATH, mcpOperations } from "./operations.ts";
import { type McpDeps, mcpRoutes } from "./routes.ts";

export function mcpFace(deps: McpDeps): Face {
  return {
    set: MCP_SET,
    dialect: mcpDialect,
    paths: ["/mcp", METADATA_PATH],
    mount: (app, options) =>
      mountRoutes(app, mcpOperations, mcpRoutes, deps, { ...options, doors: mcpDoors }),
  };
}
