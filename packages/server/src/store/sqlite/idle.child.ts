/** Sends one request to its store's background thread and then has nothing left to do. */

import { indexes } from "../suite/fixture.ts";
import { openSqliteStore } from "./open.ts";

const store = openSqliteStore({ path: process.argv[2] as string, indexes });
await store.census(0);
process.stdout.write("answered\n");
