/**
 * One headless shell for all files of a test process, which ends it, and one complete Chromium for the files that ask for it.
 * Whoever opens it closes their own contexts. It talks to the process directly: a Chromium for all processes would need another
 * process in between, which both would wait for at every step.
 */

import type { Browser } from "playwright-core";
import { inject } from "vitest";
import { launchBrowser } from "../../tools/browser.ts";

const launched: { shell?: Promise<Browser>; complete?: Promise<Browser> } = {};

export function openBrowser(kind: "shell" | "complete" = "shell"): Promise<Browser> {
  // Vitest gives a process too little time to remove the browser's profile, so that it lies where the run's end removes it.
  const folder = inject("browserFolder");
  if (folder !== undefined) process.env["TMPDIR"] = folder;
  launched[kind] ??= launchBrowser(kind);
  return launched[kind];
}
