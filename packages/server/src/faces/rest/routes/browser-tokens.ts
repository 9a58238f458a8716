/** Tokens for browsers: an app's server makes them for its pages. */

import { parseDuration } from "@holdpoint/protocol/rules";
import { newBrowserToken } from "../../../identity/browser-tokens.ts";
import type { BrowserToken } from "../../../kernel/browser-token/token.ts";
import type { Entity } from "../../../kernel/entity.ts";
import { time } from "../../http/present.ts";
import { accepted } from "../errors.ts";
import type { Routes } from "../operations.ts";

const LASTS_DEFAULT = "15m";

export const browserTokens = {
  async makeBrowserToken({ workspace, by, body }, deps) {
    const { person, hold_id: holdId, origins, expires_in = LASTS_DEFAULT } = body;
    const { token: secret, ...fresh } = newBrowserToken(deps.ids, deps.engine.clock.now());
    const token = {
      ...fresh,
      person,
      ...(holdId === undefined ? {} : { holdId }),
      ...(origins === undefined ? {} : { origins }),
    };
    const lastsMs = parseDuration(expires_in) ?? 0;
    const command = { kind: "make_browser_token", workspace, by, token, lastsMs } as const;
    const made = accepted(await deps.engine.run(command), by);
    return { status: 201, body: { ...present(made), token: secret } };
  },

  async revokeBrowserToken({ workspace, by, params }, deps) {
    const command = { kind: "revoke_browser_token", workspace, by, tokenId: params.id } as const;
    return { status: 200, body: present(accepted(await deps.engine.run(command), by)) };
  },
} satisfies Routes;

function present({ body }: Entity<BrowserToken>) {
  const { id, reach, origins, madeAt, expiresAt, revokedAt } = body;
  return {
    ...{ id, person: reach.person, created_at: time(madeAt), expires_at: time(expiresAt) },
    ...(reach.holdId === undefined ? {} : { hold_id: reach.holdId }),
    ...(origins === undefined ? {} : { origins: [...origins] }),
    ...(revokedAt === undefined ? {} : { revoked_at: time(revokedAt) }),
  };
}
