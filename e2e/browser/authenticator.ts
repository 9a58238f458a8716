/** A browser with Chromium's virtual authenticator, and a person who adds a passkey with it. */

import type { CDPSession, Page } from "playwright-core";
import { DESKTOP, type Stage } from "./support.ts";

export interface Device extends AsyncDisposable {
  readonly page: Page;
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

const AUTHENTICATOR = {
  ...({ protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true } as const),
  isUserVerified: true,
  automaticPresenceSimulation: true,
};

/** A browser with an authenticator of its own. */
export async function passkeyDevice(on: Stage): Promise<Device> {
  const page = await on.page(DESKTOP);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", { options: AUTHENTICATOR });
  return {
    ...{ page, cdp, authenticatorId },
    async [Symbol.asyncDispose]() {
      await cdp.send("WebAuthn.disable");
      await cdp.detach();
      await on.leave(page);
    },
  };
}

let added = 0;

/** The person signs in, adds a passkey in the settings, and it is in the list. Returns what it is called. */
export async function addPasskeyIn(page: Page, on: Stage, origin: string, name: string): Promise<string> {
  added += 1;
  const called = `${name}'s laptop no. ${added}`;
  await on.signIn(page, { name, role: "operator", path: "/console/settings", origin });
  await page.getByLabel("Name of the new passkey").fill(called);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("button", { name: `Remove ${called}` }).waitFor();
  return called;
}
