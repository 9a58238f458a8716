/** What a browser test plays on: the run's server, in a workspace of the file's own, and the process's Chromium. */

import { expect, inject } from "vitest";
import { serverProcess } from "../support/server-process.ts";
import { openBrowser } from "../support/shared-browser.ts";
import { keyOf } from "./global-setup.ts";
import { type OwnServerStage, type Stage, stageOn } from "./support.ts";

export async function stage(): Promise<Stage> {
  return stageOn(runsServer(), await openBrowser());
}

/** For tests of notifications, which the headless shell does not show. */
export async function stageInCompleteBrowser(): Promise<Stage> {
  const browser = await openBrowser("complete");
  return stageOn(runsServer(), browser);
}

function runsServer() {
  const file = expect.getState().testPath ?? "";
  return { url: inject("browserServerUrl"), key: keyOf(file) };
}

/** For tests that stop the server. */
export async function stageOnOwnServer(): Promise<OwnServerStage> {
  const [server, browser] = await Promise.all([serverProcess(), openBrowser()]);
  return stageOn(server, browser);
}
