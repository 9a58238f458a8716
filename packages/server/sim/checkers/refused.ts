/** G8, G11: what is refused leaves nothing behind, and who waits is told. */

import { BAD } from "../hostile.ts";
import type { Checker } from "./index.ts";

export const refused: Checker = ({ sim: { ledger }, holds }) => [
  ...ledger.refusable,
  ...ledger.unheard,
  ...[...holds.values()]
    .filter(({ key }) => key?.startsWith(BAD) === true)
    .map(({ id, key }) => `${id} was placed by a request that had to be refused (${key})`),
];
