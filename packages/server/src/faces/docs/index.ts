/** The API described, for programs and for people: one document over the operations of all faces. */

import { DOCUMENT, type OperationSet, openApiDocument, operations } from "@holdpoint/protocol";
import type { Hono } from "hono";
import { type MountOptions, mount } from "../http/mount.ts";

export interface DocsDeps {
  /** In the order of the reference. */
  readonly sets: readonly OperationSet[];
  readonly version: string;
  readonly publicUrl: string;
}

export function mountDocs(app: Hono, deps: DocsDeps, options: MountOptions): void {
  const { sets, version, publicUrl } = deps;
  const document = JSON.stringify(openApiDocument(sets, { ...DOCUMENT, version, servers: [publicUrl] }));
  mount(app, operations.openApi, () => ({ status: 200, body: document }), options);
}
