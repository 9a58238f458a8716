/** Commits in an endless loop to the given file and prints the number of each commit after it resolved. Every fifth one is long. */

import { commit, event, holdBody, indexes, key, message, put } from "../suite/fixture.ts";
import { openSqliteStore } from "./open.ts";

const LONG = "x".repeat(2 * 1024 * 1024);

const store = openSqliteStore({ path: process.argv[2] as string, indexes });
await store.census(0);
for (let n = 1; ; n += 1) {
  const id = `h${n}`;
  const members = n % 5 === 0 ? { text: LONG } : {};
  await commit(store, {
    puts: [put(key(id), 0, holdBody(members)), put(key(id, "group"), 0, { thread: id })],
    events: [event(`hold:${id}`, 1), event(`hold:${id}`, 2)],
    timers: [{ key: key(id), dueAt: n }],
    outbox: [message(id, { holdId: id })],
  });
  process.stdout.write(`${n}\n`);
}
