import { join } from "node:path";
import type { IndexOf } from "../../core/entity.ts";
import { testStore } from "../store.suite.ts";
import type { Harness } from "../suite/fixture.ts";
import { temporaryFolder } from "../suite/temporary.ts";
import { emptyMemory, readMemory } from "./data.ts";
import { MemoryStore } from "./memory-store.ts";

testStore({ name: "memory", open });

async function open(indexOf: IndexOf): Promise<Harness> {
  const folder = await temporaryFolder();
  const data = emptyMemory();
  return {
    store: new MemoryStore({ indexOf, data }),
    reopen: async () => new MemoryStore({ indexOf, data }),
    backupPath: () => join(folder.path, "backup.json"),
    openCopy: async (path) => new MemoryStore({ indexOf, data: await readMemory(path) }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
