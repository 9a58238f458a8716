/**
 * @module
 * The Holdpoint server as a library, for programs that serve it themselves or run in its process. Operators use the
 * `holdpoint` command.
 */

import "./needs-node.ts";

export type { InProcess } from "./faces/rest/index.ts";
export { inProcessClient } from "./faces/rest/index.ts";
export type { Serving } from "./serve.ts";
export { serve } from "./serve.ts";
export type { LogEntry, Server, ServerOptions } from "./server.ts";
export { createServer } from "./server.ts";
export type { Config } from "./system/config.ts";
export { readConfig } from "./system/config.ts";
export { VERSION } from "./version.ts";
