/** What the pages need from the server. */

import type { Engine } from "../../engine/engine.ts";
import type { Files } from "../../engine/files.ts";
import type { Holds } from "../../engine/holds.ts";
import type { EmailSignIns } from "../../identity/email-sign-in.ts";
import type { Identity } from "../../identity/identity.ts";
import type { Limiter } from "../../identity/limiter.ts";
import type { OidcSignIns } from "../../identity/oidc/sign-ins.ts";
import type { Passkeys } from "../../identity/passkeys.ts";
import type { Ids } from "../../system/ids.ts";
import type { Renderer } from "./render.ts";

export interface PageDeps {
  readonly engine: Engine;
  readonly holds: Holds;
  readonly files: Files;
  readonly identity: Identity;
  readonly ids: Ids;
  readonly passkeys: Passkeys;
  readonly oidc: OidcSignIns;
  /** Absent: no e-mail channel ever sends sign-in links here. */
  readonly emailSignIns?: EmailSignIns;
  /** How often one address may begin to sign in. */
  readonly signIns: Limiter;
  readonly renderer: Renderer;
  readonly publicUrl: string;
  readonly version: string;
  /** Whether only this machine can reach the server. */
  readonly isLocal: boolean;
  /** Scripts and styles that the renderer's pages load. */
  readonly asset?: (path: string, acceptEncoding: string) => Response | undefined;
}
