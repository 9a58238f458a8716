/**
 * Makes each document on the first request for it, because most servers never get one. Anybody may ask for them, and they are
 * long, so each is made in several turns of the event loop (G13).
 */

import { DOCUMENT, type OperationSet, openApiSteps } from "@holdpoint/protocol";
import { inOwnTurns, ownTurn } from "../../system/own-turn.ts";
import type { Handlers } from "../http/mount.ts";
import { PAGE_HEADERS, STYLE_HEADERS } from "../http/page.ts";
import type { operations } from "./operations.ts";
import { errorsPage, referencePage } from "./page.ts";
import { referenceSteps } from "./reference.ts";
import { DOCS_CSS } from "./style.ts";

export interface DocsDeps {
  /** In the order of the reference. */
  readonly sets: readonly OperationSet[];
  readonly version: string;
  readonly publicUrl: string;
}

export type Documents = ReturnType<typeof documentsOf>;

export function documentsOf({ sets, version, publicUrl }: DocsDeps) {
  const about = { ...DOCUMENT, version, servers: [publicUrl] };
  const document = () => inOwnTurns(openApiSteps(sets, about));
  const reference = once(async () => inOwnTurns(referenceSteps(sets, await document(), publicUrl)));
  return {
    openApi: once(async () => written(await document(), (made) => JSON.stringify(made))),
    reference: once(async () => written(await reference(), (made) => referencePage(made, version))),
    errors: once(async () => written(await reference(), errorsPage)),
  };
}

async function written<Made>(made: Made, write: (made: Made) => string): Promise<string> {
  await ownTurn();
  return write(made);
}

export const routes = {
  openApi: async (_call, { openApi }) => ({ status: 200, body: await openApi() }),
  docs: async (_call, { reference }) => ({ status: 200, body: await reference(), headers: PAGE_HEADERS }),
  docsOfErrors: async (_call, { errors }) => ({ status: 200, body: await errors(), headers: PAGE_HEADERS }),
  docsStyle: () => ({ status: 200, body: DOCS_CSS, headers: STYLE_HEADERS }),
} satisfies Handlers<typeof operations, Documents>;

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
