/** Ways to bring a review to a person. Each is a function of the review, so an agent can use its own instead. */

import { isSafeUrl } from "@holdpoint/protocol/hitl/words";
import type { CaseBook, Listed } from "./case-book.ts";
import { type Occasion, type ReviewMessage, reviewMessage } from "./message.ts";
import type { Review } from "./review.ts";

export type Deliver = (review: Review, occasion: Occasion) => Promise<void>;

/** A chat or mail message with the link in it. */
export function byMessage(send: (message: ReviewMessage) => unknown): Deliver {
  return async (review, occasion) => {
    await send(reviewMessage(review, occasion));
  };
}

/** Native buttons where the case allows them, and the link always. `render` is one of the messenger renderers. */
export function byButtons<Payload>(options: {
  readonly book: CaseBook;
  readonly render: (listed: Listed, occasion: Occasion) => Payload;
  readonly send: (payload: Payload) => unknown;
}): Deliver {
  return async (review, occasion) => {
    const listed = await options.book.add(review);
    await options.send(options.render(listed, occasion));
  };
}

/** The program that opens an address on this machine, and its arguments. No shell sees the address. */
export function openCommand(platform: string, url: string): readonly [string, ...string[]] {
  if (platform === "darwin") return ["open", url];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return ["xdg-open", url];
}

async function openOnThisMachine(url: string): Promise<void> {
  const [{ spawn }, { default: process }] = await Promise.all([
    import("node:child_process"),
    import("node:process"),
  ]);
  const [program, ...args] = openCommand(process.platform, url);
  await new Promise<void>((resolve, reject) => {
    const child = spawn(program, args, { stdio: "ignore", detached: true });
    child.once("error", reject);
    child.once("spawn", () => {
      child.unref();
      resolve();
    });
  });
}

type Print = (text: string) => void;

/** For an agent on the person's own machine: opens the page there. If that fails, the link is printed. */
export function byBrowser(options: {
  readonly print: Print;
  readonly open?: (url: string) => unknown;
}): Deliver {
  return async (review, occasion) => {
    const { body, text, url } = reviewMessage(review, occasion);
    // The review may come from a store that others write to, and this runs a program.
    if (!isSafeUrl(url))
      throw new TypeError("The review's link is neither https nor on this machine, so it is not opened.");
    try {
      await (options.open ?? openOnThisMachine)(url);
      options.print(body);
    } catch {
      options.print(text);
    }
  };
}

/** `uqr` is an optional peer: without it there is the link alone. */
async function drawQr(url: string): Promise<string | null> {
  const drawer = await import("uqr").catch(() => null);
  return drawer?.renderUnicodeCompact(url, { ecc: "L", border: 2 }) ?? null;
}

/** For an agent in a remote terminal: prints the link, and a code that a phone can scan. */
export function byTerminal(options: {
  readonly print: Print;
  /** Draws the code; `false` prints the link only. */
  readonly qr?: ((url: string) => string | Promise<string>) | false;
}): Deliver {
  return async (review, occasion) => {
    const { text, url } = reviewMessage(review, occasion);
    options.print(text);
    const code = options.qr === false ? null : await (options.qr ?? drawQr)(url);
    if (code !== null) options.print(code);
  };
}
