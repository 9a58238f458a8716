/** The native API without a network: the same rules and the same client, for parts that live in the server's own process. */

import { Holdpoint } from "@holdpoint/sdk";
import { Hono } from "hono";
import { afterLongText } from "./faces/http/body.ts";
import { mountFaces } from "./faces/http/face.ts";
import { nativeFace, type RestDeps } from "./faces/rest/index.ts";
import type { Authenticated, Identity } from "./identity/identity.ts";
import type { Principal } from "./kernel/principal.ts";

export interface InProcess {
  readonly workspace: string;
  /** As whom it acts. It needs no key: nobody but this process can be it. */
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
