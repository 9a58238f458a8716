/** `holdpoint console`: prints a one-time link that signs in. */

import type { SignInOut } from "@holdpoint/protocol";
import { readArgs } from "./args.ts";
import { clean } from "./clean.ts";
import { callServer } from "./client.ts";
import type { Command } from "./io.ts";

export const consoleLink: Command = {
  summary: "Print a one-time link that signs in to the console",
  async run(args, io) {
    readArgs(args, {}, "console");
    const { url } = await callServer<SignInOut>(io, "POST", "/v1/sign-ins", {});
    io.out(`${clean(url)}\n`);
    return 0;
  },
};
