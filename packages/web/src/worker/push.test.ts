import { describe, expect, it } from "vitest";
import { addressOf, bringToFront, shownOf, type Tab } from "./push.ts";

const HERE = "https://h.example";
const HOLD = `${HERE}/console/holds/hold_7`;

describe("a web push message", () => {
  it("is shown with its title, body, tag and the hold's page", () => {
    const message = { title: "refunder asks", body: "Refund 40 EUR?", tag: "hold_7", url: HOLD };
    expect(shownOf(JSON.stringify(message), HERE)).toEqual({
      title: "refunder asks",
      options: {
        ...{ body: "Refund 40 EUR?", tag: "hold_7", data: { url: HOLD }, renotify: true, silent: false },
        icon: "/assets/web/icon-192.png",
      },
    });
  });

  it("that says how a hold ended replaces the notification without a sound", () => {
    const { options } = shownOf(JSON.stringify({ title: "Approved", tag: "hold_7", silent: true }), HERE);
    expect(options).toMatchObject({ tag: "hold_7", renotify: false, silent: true });
  });

  it.each([undefined, "", "no JSON", "null", "7", '{"title":7,"body":[],"tag":{},"url":9}'])(
    "that is %j is shown without details and leads to the inbox",
    (text) => {
      const { title, options } = shownOf(text, HERE);
      expect(title).toBe("Holdpoint");
      expect(options).toMatchObject({ data: { url: `${HERE}/console` }, renotify: false });
      expect(options).not.toHaveProperty("tag");
    },
  );
});

describe("the address of a notification", () => {
  it.each([
    [HOLD, HOLD],
    ["https://other.example/console/holds/hold_7", HOLD],
    ["/console/holds/hold_7?x=1", `${HOLD}?x=1`],
    ["https://evil.example/", `${HERE}/console`],
    [`${HERE}/signout`, `${HERE}/console`],
    [`${HERE}/console-worker.js`, `${HERE}/console`],
    ["//evil.example/console/../signout", `${HERE}/console`],
    ["javascript:alert(1)", `${HERE}/console`],
    [undefined, `${HERE}/console`],
  ])("%s leads to %s, on this origin and inside the console", (url, leads) => {
    expect(addressOf(url, HERE)).toBe(leads);
  });
});

describe("a press on a notification", () => {
  async function pressWith(...urls: readonly string[]): Promise<readonly string[]> {
    const done: string[] = [];
    const tab = (url: string): Tab => ({
      url,
      focus: async () => done.push(`focus ${url}`),
      navigate: async (to) => done.push(`navigate ${to}`),
    });
    await bringToFront(HOLD, {
      matchAll: async () => urls.map(tab),
      openWindow: async (url) => done.push(`open ${url}`),
    });
    return done;
  }

  it("brings the tab to the front that shows the hold", async () => {
    expect(await pressWith(`${HERE}/console`, HOLD)).toEqual([`focus ${HOLD}`]);
  });

  it("uses a tab of the console that shows no other hold", async () => {
    expect(await pressWith(`${HERE}/console/holds/hold_9`, `${HERE}/console/history`)).toEqual([
      `focus ${HERE}/console/history`,
      `navigate ${HOLD}`,
    ]);
  });

  it.each([[], [`${HERE}/console/holds/hold_9`], [`${HERE}/docs`]])(
    "opens a tab if there are only %s",
    async (...urls) => {
      expect(await pressWith(...urls)).toEqual([`open ${HOLD}`]);
    },
  );
});
