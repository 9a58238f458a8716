/** A client of the native API without a network, with the same rules, for code that runs in the server's own process. */

import { Holdpoint } from "@holdpoint/sdk";
import { Hono } from "hono";
import { afterLongText } from "./faces/http/body.ts";
import { mountFaces } from "./faces/http/face.ts";
import { nativeFace, type RestDeps } from "./faces/rest/index.ts";
import type { Authenticated, Identity } from "./identity/identity.ts";
import type { Principal } from "./kernel/principal.ts";

export interface InProcess {
  readonly workspace: string;
  /** The principal it acts as. It needs no key, because only this process can create it. */
  readonly principal: Principal;
}

export function inProcessClient(deps: RestDeps, caller: InProcess): Holdpoint {
  const app = new Hono();
  const known: Pick<Identity, "authenticate"> = {
    authenticate: async (): Promise<Authenticated> => ({ ok: true, caller }),
  };
  mountFaces(app, [nativeFace(deps)], { identity: known as Identity });
  return new Holdpoint({
    url: "http://in-process",
    apiKey: "in-process",
    runtime: {
      fetch: async (input, init) => {
        if (typeof init?.body === "string") await afterLongText(init.body);
        return app.request(input, init);
      },
    },
  });
}
