/** Writes `docs/reference/roles.md`: `npm run roles`. */

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type FaceMatrix, faceMatrix, rolesServer } from "./matrix.ts";
import { rolesPage } from "./page.ts";

const page = fileURLToPath(new URL("../../docs/reference/roles.md", import.meta.url));
const faces: FaceMatrix[] = [];
const { operationSets } = await (async () => {
  await using test = await rolesServer();
  return test.server;
})();
for (const set of operationSets) faces.push(await faceMatrix(set));
writeFileSync(page, rolesPage(faces));
console.log("docs/reference/roles.md");
