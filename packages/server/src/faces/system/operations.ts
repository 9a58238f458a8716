/** The operations of the native API that are about the server itself. */

import { operations as all } from "@holdpoint/protocol";

const { health, ready, metrics } = all;

export const operations = { health, ready, metrics };
