/**
 * AG-UI's face in the server: a demo agent for trying clients, and the agents that the operator configured as proxies.
 * Agents written for Holdpoint mount the same handler in their own app.
 */

import { CONVERSATION_LIMITS } from "../../faces/http/body.ts";
import type { Face } from "../../faces/http/face.ts";
import { mountRoutes } from "../../faces/http/mount.ts";
import { proxyOperations } from "../proxy/operations.ts";
import type { ProxyRuntime } from "../proxy/proxy-runtime.ts";
import { proxyRoutes } from "../proxy/routes.ts";
import { type DemoDeps, Demos } from "./demo.ts";
import { agUiDialect } from "./errors.ts";
import { agUiSetOf, demoOperations } from "./operations.ts";
import { demoRoutes } from "./routes.ts";

/** `demo` is absent on a server that other machines can reach, because any key could start its runs. */
export function agUiFace(proxies: ProxyRuntime, demo: DemoDeps | undefined): Face {
  return {
    set: agUiSetOf(demo !== undefined),
    dialect: agUiDialect,
    paths: ["/agui"],
    mount(app, mounting) {
      const options = { ...mounting, limits: CONVERSATION_LIMITS };
      mountRoutes(app, proxyOperations, proxyRoutes, proxies, options);
      if (demo !== undefined) mountRoutes(app, demoOperations, demoRoutes, new Demos(demo), options);
    },
  };
}
