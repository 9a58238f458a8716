/** The API described, for programs and for people: one document over the operations of all faces. */

import { DOCUMENT, type OperationSet, openApiDocument, operations } from "@holdpoint/protocol";
import type { Hono } from "hono";
import { type MountOptions, mount } from "../http/mount.ts";
import { PAGE_HEADERS } from "../http/page-headers.ts";
import { errorsPage, referencePage } from "./page.ts";
import { referenceOf } from "./reference.ts";
import { DOCS_CSS } from "./style.ts";

export interface DocsDeps {
  /** In the order of the reference. */
  readonly sets: readonly OperationSet[];
  readonly version: string;
  readonly publicUrl: string;
}

export function mountDocs(app: Hono, deps: DocsDeps, options: MountOptions): void {
  const about = { ...DOCUMENT, version: deps.version, servers: [deps.publicUrl] };
  // Drawn when first asked for: most servers are never asked.
  const document = once(() => JSON.stringify(openApiDocument(deps.sets, about)));
  const reference = once(() => referenceOf(deps.sets, deps.publicUrl));
  const pages = once(() => ({
    "/docs": referencePage(reference(), deps.version),
    "/docs/errors": errorsPage(reference()),
  }));
  mount(app, operations.openApi, () => ({ status: 200, body: document() }), options);
  for (const path of ["/docs", "/docs/errors"] as const) {
    app.get(path, (c) => c.body(pages()[path], 200, PAGE_HEADERS));
  }
  app.get("/assets/docs.css", (c) =>
    c.body(DOCS_CSS, 200, {
      "content-type": "text/css; charset=utf-8",
      "cache-control": "public, max-age=300",
      "x-content-type-options": "nosniff",
    }),
  );
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
