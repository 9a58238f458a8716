/** One picture for each chat platform: every kind of message, drawn from the payload that left the server. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { discordDriver } from "../../packages/server/src/testing/chat/discord-driver.fixture.ts";
import { galleryPage, pictures } from "../../packages/server/src/testing/chat/gallery.ts";
import { slackDriver } from "../../packages/server/src/testing/chat/slack-driver.fixture.ts";
import { telegramDriver } from "../../packages/server/src/testing/chat/telegram-driver.fixture.ts";
import { launchBrowser } from "../../tools/browser.ts";

const DRIVERS = { telegram: telegramDriver, slack: slackDriver, discord: discordDriver } as const;

export async function takeChatPictures(folder: string): Promise<void> {
  const browser = await launchBrowser();
  try {
    for (const [name, driver] of Object.entries(DRIVERS)) {
      const path = join(folder, `chat-${name}.html`);
      writeFileSync(path, galleryPage(name, await pictures(driver)));
      for (const [look, width] of [
        ["phone", 390],
        ["desk", 1280],
      ] as const) {
        const page = await browser.newPage({ viewport: { width, height: 800 } });
        await page.goto(pathToFileURL(path).href);
        await page.screenshot({ path: join(folder, `chat-${name}-${look}.png`), fullPage: true });
        await page.close();
      }
    }
  } finally {
    await browser.close();
  }
}
