/**
 * `holdpoint people recover`: for an admin who lost every way in. It writes to the database of this home folder, so it needs
 * access to the machine and no key. The log records it.
 */

import { SEALS, TABLE } from "../domains.ts";
import { Engine } from "../engine/engine.ts";
import { contentDigest } from "../engine/seal.ts";
import { newSignIn } from "../identity/sign-in.ts";
import type { Person } from "../kernel/people/person.ts";
import { SYSTEM } from "../kernel/principal.ts";
import { openStore } from "../serve.ts";
import { HomeLock } from "../store/sqlite/home-lock.ts";
import { readConfig } from "../system/config.ts";
import { systemIds } from "../system/ids.ts";
import { createJudge } from "../system/judge.ts";
import { CliError, type Io } from "./io.ts";

const WORKSPACE = "default";

export async function recover(io: Io, id = "admin"): Promise<number> {
  const config = readConfig(io.env, io.folder);
  const isEmbedded = config.databaseUrl.startsWith("sqlite:");
  // Only one process may write to an embedded database: a running server has to be stopped first.
  const since = new Date(io.now()).toISOString();
  const lock = isEmbedded ? HomeLock.take(config.home, { pid: process.pid, since, url: null }) : undefined;
  const { store, files, clock } = await openStore(config);
  const judge = createJudge();
  const engine = new Engine({ table: TABLE, seals: SEALS, store, clock, judge, digest: contentDigest });
  try {
    await makeAdmin(engine, id);
    const made = await newSignIn(engine, systemIds, {
      workspace: WORKSPACE,
      by: SYSTEM,
      name: id,
      role: "admin",
    });
    if (!made.ok) throw new CliError(made.failure.message);
    io.out(`${config.publicUrl}/signin?token=${made.token}\n`);
    io.err(
      `This link signs in ${id} as an admin, once. Start the server if it does not run, then open it.\n`,
    );
    return 0;
  } finally {
    await engine.stop();
    await store.close();
    await files.close();
    lock?.release();
  }
}

async function makeAdmin(engine: Engine, id: string): Promise<void> {
  const [found] = await engine.store.load([{ workspace: WORKSPACE, kind: "person", id, read: true }]);
  const person = found?.body as Person | undefined;
  const frame = { workspace: WORKSPACE, by: SYSTEM } as const;
  const result =
    person === undefined
      ? await engine.run({
          kind: "add_person",
          ...frame,
          person: { id, name: id, role: "admin", teams: [], isVerified: true, source: "console" },
        })
      : await engine.run({
          kind: "change_person",
          ...frame,
          personId: id,
          patch: { role: "admin", status: "active", isVerified: true },
        });
  if (!result.ok) throw new CliError(result.failure.message);
}
