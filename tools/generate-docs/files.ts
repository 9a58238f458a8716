/** Every generated file of the documentation, by its path in the repository. */

import { referenceOf } from "../../packages/server/src/faces/docs/reference.ts";
import { testServer } from "../../packages/server/src/testing/test-server.ts";
import { conformanceMarkdown } from "../conformance/markdown.ts";
import { securityMarkdown } from "../permissions.ts";
import { translationsMarkdown } from "../translations/markdown.ts";
import { truthTableMarkdown } from "../truth-table.ts";
import { apiMarkdown, errorsMarkdown } from "./markdown.ts";

export async function generatedDocs(): Promise<Readonly<Record<string, string>>> {
  await using test = await testServer();
  const reference = referenceOf(test.server.operationSets, "$HOLDPOINT_URL");
  return {
    "SECURITY.md": await securityMarkdown(),
    "docs/reference/api.md": apiMarkdown(reference),
    "docs/reference/conformance.md": conformanceMarkdown(),
    "docs/reference/errors.md": errorsMarkdown(reference),
    "docs/reference/translations.md": translationsMarkdown(),
    "docs/reference/truth-table.md": truthTableMarkdown(),
  };
}
