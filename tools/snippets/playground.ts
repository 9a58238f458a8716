/** What "Copy as SDK code" of the playground gives: every template through every protocol. */

import { sdkOf } from "../../packages/web/src/playground/code.ts";
import { FACES, type FaceName } from "../../packages/web/src/playground/faces.ts";
import { TEMPLATES } from "../../packages/web/src/playground/samples.ts";
import type { Snippet } from "./snippet.ts";

export function playgroundSnippets(): readonly Snippet[] {
  return Object.entries(TEMPLATES).flatMap(([template, question]) =>
    (Object.keys(FACES) as FaceName[]).map((face) => ({
      source: "packages/web/src/playground/code.ts",
      line: 2,
      name: `.${template}.${face}`,
      extension: "mts" as const,
      code: sdkOf(face, question as Readonly<Record<string, unknown>>),
    })),
  );
}
