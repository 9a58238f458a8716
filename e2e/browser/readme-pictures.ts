/** The two pictures in the README: a review on a phone, and the inbox. They are kept in the repository, so they are small. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { ASKS, hydrated, type Placed, type Stage } from "./support.ts";

const BYTES_MAX = 60_000;

const REFUND = {
  type: "approval",
  prompt: "Refund 79.90 EUR to Mara Lindqvist?",
  context: { reason: "Arrived broken", order: "A-10482", amount: "79.90 EUR", customer_since: "2019" },
  timeout: "2h",
};

const DAY: readonly (readonly [agent: string, ask: object])[] = [
  ["release-bot", { ...ASKS.approval, prompt: "Deploy build 1207 to production?", timeout: "30m" }],
  ["mailer", { ...ASKS.confirmation, prompt: "Send 48 letters to customers in Norway?", timeout: "1d" }],
  ["importer", { ...ASKS.escalation, prompt: "The import failed three times. Go on?", timeout: "4h" }],
  ["buyer", { ...ASKS.input, prompt: "Which cost centre pays for the new licences?", timeout: "3d" }],
];

/** On a server of its own, so that nothing else waits in its inbox. */
export async function takeReadmePictures(on: Stage, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [agent, ask] of DAY.toReversed()) await placeAs(on, agent, ask);
  const first = await placeAs(on, "support-agent", REFUND);
  const phone = await on.page({
    viewport: { width: 390, height: 640 },
    deviceScaleFactor: 2,
    colorScheme: "light",
  });
  await phone.goto(on.link(first));
  await hydrated(phone);
  await take(phone, join(folder, "review-on-a-phone.webp"));

  const desk = await on.page({
    viewport: { width: 1100, height: 560 },
    deviceScaleFactor: 1.5,
    colorScheme: "light",
  });
  const made = await on.call("POST", "/v1/sign-ins", { name: "ada", role: "admin" });
  const { pathname, search } = new URL(((await made.json()) as { url: string }).url);
  await desk.goto(on.server.url + pathname + search);
  await desk.goto(`${on.server.url}/console`);
  await desk.getByText("Live", { exact: true }).waitFor();
  await desk.getByText(REFUND.prompt).first().waitFor();
  await take(desk, join(folder, "inbox.webp"));
}

/** With a key of its own, because a page says who asks. */
async function placeAs(on: Stage, name: string, ask: object): Promise<Placed> {
  const made = await on.call("POST", "/v1/keys", { role: "agent", name });
  const { secret } = (await made.json()) as { readonly secret: string };
  const reply = await fetch(`${on.server.url}/v1/holds`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify(ask),
  });
  if (!reply.ok) throw new Error(await reply.text());
  return (await reply.json()) as Placed;
}

async function take(page: Page, path: string): Promise<void> {
  const png = await page.screenshot();
  const webp = await compressed(await page.context().newPage(), png.toString("base64"));
  if (webp.length > BYTES_MAX)
    throw new Error(
      `${path} has ${webp.length} bytes; at most ${BYTES_MAX} are kept. Take a smaller part of the page.`,
    );
  writeFileSync(path, webp);
  await page.context().close();
}

/** The browser has an encoder for WebP, so that no other is needed. An empty page has no policy that forbids the picture. */
async function compressed(empty: Page, png: string): Promise<Buffer> {
  const url = await empty.evaluate(async (source) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${source}`;
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = picture.naturalWidth;
    canvas.height = picture.naturalHeight;
    canvas.getContext("2d")?.drawImage(picture, 0, 0);
    return canvas.toDataURL("image/webp", 0.8);
  }, png);
  return Buffer.from(url.split(",")[1] ?? "", "base64");
}
