/** The run's one Chromium, where the project has one; a file that closes its connection takes its own pages along. */

import type { Browser } from "playwright-core";
import { inject } from "vitest";
import { connectBrowser, launchBrowser } from "../../tools/browser.ts";

export function openBrowser(): Promise<Browser> {
  const endpoint = inject("browserEndpoint");
  return endpoint === undefined ? launchBrowser() : connectBrowser(endpoint);
}
