/** Asks its store's background thread one thing and then has nothing left to do. */

import { indexOf } from "../suite/fixture.ts";
import { openSqliteStore } from "./open.ts";

const store = openSqliteStore({ path: process.argv[2] as string, indexOf });
await store.census(0);
process.stdout.write("answered\n");
