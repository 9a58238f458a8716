import { join } from "node:path";
import type { IndexTable } from "../../kernel/table.ts";
import { testStore } from "../store.suite.ts";
import type { Harness } from "../suite/fixture.ts";
import { temporaryFolder } from "../suite/temporary.ts";
import { emptyMemory, readMemory } from "./data.ts";
import { MemoryStore } from "./memory-store.ts";

testStore({ name: "memory", open });

async function open(indexes: IndexTable): Promise<Harness> {
  const folder = await temporaryFolder();
  const data = emptyMemory();
  return {
    store: new MemoryStore({ indexes, data }),
    reopen: async () => new MemoryStore({ indexes, data }),
    backupPath: () => join(folder.path, "backup.json"),
    openCopy: async (path) => new MemoryStore({ indexes, data: await readMemory(path) }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
