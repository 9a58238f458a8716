/** The table of kinds, commands and facts for tokens for browsers. */

import { type CommandTable, type Domain, type FactTable, kind } from "../domain.ts";
import {
  type BrowserTokenCommand,
  type BrowserTokenFact,
  dropToken,
  makeNeeds,
  makeToken,
  revokeToken,
} from "./decide.ts";
import type { BrowserToken } from "./token.ts";

export const BROWSER_TOKEN_KINDS = {
  browser_token: kind<BrowserToken>({
    timer: {
      dueAt: ({ expiresAt }) => expiresAt,
      command: (tokenId) => ({ kind: "drop_browser_token", tokenId }),
    },
  }),
};

const tokenNeeds = ({ tokenId }: { readonly tokenId: string }) => [{ kind: "browser_token", id: tokenId }];

const commands = {
  make_browser_token: { about: "browser_token", needs: makeNeeds, decide: makeToken },
  revoke_browser_token: { about: "browser_token", needs: tokenNeeds, decide: revokeToken },
  drop_browser_token: { about: "browser_token", needs: tokenNeeds, decide: dropToken },
} satisfies CommandTable<BrowserTokenCommand>;

const logged = ({ token: { id, reach } }: { readonly token: BrowserToken }) => ({
  token_id: id,
  person: reach.person,
  ...(reach.holdId === undefined ? {} : { hold_id: reach.holdId }),
});

const facts: FactTable<BrowserTokenFact> = {
  "browser_token.made": {
    evolve: (_world, id, { token }) => [{ kind: "browser_token", id, body: token }],
    log: logged,
  },
  "browser_token.revoked": {
    evolve: (_world, id, { token }) => [{ kind: "browser_token", id, body: token }],
    log: logged,
  },
  /** Not written to the log: when a token ends is known from when it was made. */
  "browser_token.dropped": {
    evolve: (_world, id) => [{ kind: "browser_token", id, body: null }],
    log: () => null,
  },
};

export const BROWSER_TOKENS = { kinds: BROWSER_TOKEN_KINDS, commands, facts } satisfies Domain;
