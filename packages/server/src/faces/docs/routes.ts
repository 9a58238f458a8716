/** Makes each document on the first request for it, because most servers never get one. */

import { DOCUMENT, type OperationSet, openApiDocument } from "@holdpoint/protocol";
import type { Handlers } from "../http/mount.ts";
import { PAGE_HEADERS, STYLE_HEADERS } from "../http/page.ts";
import type { operations } from "./operations.ts";
import { errorsPage, referencePage } from "./page.ts";
import { referenceOf } from "./reference.ts";
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
  const reference = once(() => referenceOf(sets, publicUrl));
  return {
    openApi: once(() => JSON.stringify(openApiDocument(sets, about))),
    reference: once(() => referencePage(reference(), version)),
    errors: once(() => errorsPage(reference())),
  };
}

export const routes = {
  openApi: (_call, { openApi }) => ({ status: 200, body: openApi() }),
  docs: (_call, { reference }) => ({ status: 200, body: reference(), headers: PAGE_HEADERS }),
  docsOfErrors: (_call, { errors }) => ({ status: 200, body: errors(), headers: PAGE_HEADERS }),
  docsStyle: () => ({ status: 200, body: DOCS_CSS, headers: STYLE_HEADERS }),
} satisfies Handlers<typeof operations, Documents>;

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
