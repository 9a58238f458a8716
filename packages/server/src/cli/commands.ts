/** Every command by name, in the order that `help` shows them. */

import { help } from "./help.ts";
import type { Command } from "./io.ts";
import { start } from "./start.ts";

export const commands: Readonly<Record<string, Command>> = {
  start,
  help: help(() => commands),
};
