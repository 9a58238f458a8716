import { expect, test } from "vitest";
import { discordDriver } from "./discord-driver.fixture.ts";
import { galleryPage, type Picture, pictures } from "./gallery.ts";
import { slackDriver } from "./slack-driver.fixture.ts";
import { telegramDriver } from "./telegram-driver.fixture.ts";

const DRIVERS = { Telegram: telegramDriver, Slack: slackDriver, Discord: discordDriver } as const;

/** The text of HTML without its tags. */
function textOf(html: string): string {
  const text = html.replaceAll(/<br>|<\/(p|pre|h2|div|b|i)>/g, "\n").replaceAll(/<[^>]+>/g, "");
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

test.each(Object.entries(DRIVERS))(
  "every text and button of %s's messages is in its picture, and no more buttons",
  async (name, driver) => {
    const taken = await pictures(driver);
    for (const { title, html, shown } of taken) {
      const labels = [...html.matchAll(/<button[^>]*>([^<]*)<\/button>/g)].map(([, label]) => label);
      expect(labels, title).toEqual(shown.buttons);
      // Times are written out, and the language of a code block is not shown.
      const readable = shown.text.replaceAll(/<!date\^[^>]*>|<t:\d+:f>|```\w*/g, "");
      for (const word of readable.match(/[\p{L}\p{N}]{3,}/gu) ?? [])
        expect(textOf(html), title).toContain(word);
    }
    const of = (title: string) => taken.find((picture) => picture.title === title) as Picture;
    expect(of("Something was redacted").html).not.toContain("4111");
    expect(of("Approved").shown.buttons).toEqual([]);
    expect(of("Too long for a chat").shown.buttons).not.toContain("Approve");
    expect(galleryPage(name, taken)).toContain("<figcaption>Expired</figcaption>");
  },
);
