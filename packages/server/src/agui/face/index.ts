/**
 * AG-UI's face in the server: a demo agent to try clients against, and agents of others, which the operator put behind it.
 * Agents written for Holdpoint mount the same handler in their own app.
 */

import { CONVERSATION_LIMITS } from "../../faces/http/body.ts";
import type { Face } from "../../faces/http/face.ts";
import { mountRoutes } from "../../faces/http/mount.ts";
import type { ProxyDesk } from "../proxy/desk.ts";
import { proxyOperations } from "../proxy/operations.ts";
import { proxyRoutes } from "../proxy/routes.ts";
import { type DemoDeps, Demos } from "./demo.ts";
import { agUiDialect } from "./errors.ts";
import { agUiSetOf, demoOperations } from "./operations.ts";
import { demoRoutes } from "./routes.ts";

/** `demo`: absent on a server that others reach, where anybody with a key could have it ask and run. */
export function agUiFace(proxies: ProxyDesk, demo: DemoDeps | undefined): Face {
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
