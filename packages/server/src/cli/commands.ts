/** Every command by name, in the order that `help` shows them. */

import { answer } from "./answer.ts";
import { ask } from "./ask.ts";
import { backup } from "./backup.ts";
import { consoleLink } from "./console.ts";
import { demo } from "./demo/index.ts";
import { doctor } from "./doctor.ts";
import { help } from "./help.ts";
import { inbox } from "./inbox.ts";
import type { Command } from "./io.ts";
import { keys } from "./keys.ts";
import { migrate } from "./migrate.ts";
import { start } from "./start.ts";
import { verify } from "./verify.ts";

export const commands: Readonly<Record<string, Command>> = {
  start,
  demo,
  inbox,
  ask,
  answer,
  console: consoleLink,
  keys,
  verify,
  backup,
  migrate,
  doctor,
  help: help(() => commands),
};
