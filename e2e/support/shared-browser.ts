/**
 * One Chromium for all files of a test process, which ends it. Whoever opens it closes their own contexts. It talks to the process
 * directly: a Chromium for all processes would need another process in between, which both would wait for at every step.
 */

import type { Browser } from "playwright-core";
import { inject } from "vitest";
import { launchBrowser } from "../../tools/browser.ts";

let launched: Promise<Browser> | undefined;

export function openBrowser(): Promise<Browser> {
  // Vitest gives a process too little time to remove the browser's profile, so that it lies where the run's end removes it.
  const folder = inject("browserFolder");
  if (folder !== undefined) process.env["TMPDIR"] = folder;
  launched ??= launchBrowser();
  return launched;
}
