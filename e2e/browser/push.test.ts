/**
 * Web push from the server to the notification. The browser's own push service is out of reach of a test, so a fake one
 * takes the message from the server, and Chromium's debugger hands what the browser would decrypt to the real worker.
 */

import type { BrowserContextOptions, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type FakeBrowser,
  type FakePushService,
  fakePushService,
} from "../../packages/server/src/testing/push-service.ts";
import { stageInCompleteBrowser } from "./shared.ts";
import { ASKS, DESKTOP, PHONE, type Stage, violations, widthLeft } from "./support.ts";

let on: Stage;
let service: FakePushService;
beforeAll(async () => {
  [on, service] = await Promise.all([stageInCompleteBrowser(), fakePushService()]);
  await on.call("POST", "/v1/people", { id: "ada", name: "Ada Obi" });
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await on?.[Symbol.asyncDispose]();
});

async function settings(page: Page): Promise<void> {
  await on.signIn(page, { path: "/console/settings" });
}

/** A page whose browser subscribes at the fake push service. */
async function pageWithPush(look: BrowserContextOptions): Promise<{ page: Page; browsers: FakeBrowser[] }> {
  const page = await on.page({ ...look, serviceWorkers: "allow" });
  const browsers: FakeBrowser[] = [];
  await page.context().grantPermissions(["notifications"], { origin: on.server.url });
  await page.exposeFunction("subscribeAtFake", (serverKey: string) => {
    const browser = service.subscribe(serverKey);
    browsers.push(browser);
    return { endpoint: browser.endpoint, p256dh: browser.p256dh, auth: browser.auth };
  });
  await page.exposeFunction("unsubscribeAtFake", (endpoint: string) => service.unsubscribe(endpoint));
  await page.addInitScript(fakeSubscriptions);
  return { page, browsers };
}

/** Runs in the page. */
function fakeSubscriptions(): void {
  interface Fake {
    subscribeAtFake(key: string): Promise<{ endpoint: string; p256dh: string; auth: string }>;
    unsubscribeAtFake(endpoint: string): Promise<void>;
  }
  const fake = globalThis as unknown as Fake;
  let current: object | null = null;
  PushManager.prototype.subscribe = async (options) => {
    if (options?.userVisibleOnly !== true) throw new Error("browsers refuse silent subscriptions");
    const { endpoint, ...keys } = await fake.subscribeAtFake(String(options.applicationServerKey));
    current = {
      toJSON: () => ({ endpoint, expirationTime: null, keys }),
      unsubscribe: async () => {
        current = null;
        await fake.unsubscribeAtFake(endpoint);
        return true;
      },
    };
    return current as PushSubscription;
  };
  PushManager.prototype.getSubscription = async () => current as PushSubscription | null;
}

/** Hands a decrypted message to the worker, as the browser does. */
async function deliver(page: Page, data: string): Promise<void> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL === `${on.server.url}/console`);
      if (found !== undefined) resolve(found.registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  const registrationId = await registered;
  await session.send("ServiceWorker.deliverPushMessage", { origin: on.server.url, registrationId, data });
  await session.detach();
}

function notifications(page: Page) {
  return page.evaluate(async () => {
    const { getNotifications } = ServiceWorkerRegistration.prototype;
    const shown = await getNotifications.call(await navigator.serviceWorker.ready);
    return shown.map(({ title, body, tag, data }) => ({
      title,
      body,
      tag,
      url: (data as { url: string }).url,
    }));
  });
}

test("a person turns notifications on, and a hold for them becomes a notification of the console's worker", async () => {
  const { page, browsers } = await pageWithPush(PHONE);
  await settings(page);
  const panel = page.getByRole("region", { name: "Notifications on this device" });
  await panel.getByLabel("Name of this device").fill("Ada's phone");
  expect(await violations(page)).toEqual([]);
  await panel.getByRole("button", { name: "Turn on notifications" }).click();
  await panel.getByText("This device gets notifications.").waitFor();
  await panel.getByText("this device, added").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await widthLeft(page)).toBeLessThanOrEqual(0);

  const ladder = [{ after: "0s", channel: "push", to: "person:ada" }];
  const hold = await on.place({ ...ASKS.approval, prompt: "Pay 12 EUR?", ladder });
  await expect.poll(() => browsers[0]?.received.length).toBe(1);
  await deliver(page, browsers[0]?.received[0]?.message ?? "");
  const url = `${on.server.url}/console/holds/${hold.id}`;
  await expect
    .poll(() => notifications(page))
    .toMatchObject([{ title: expect.stringContaining("asks"), body: "Pay 12 EUR?", tag: hold.id, url }]);

  await deliver(page, JSON.stringify({ title: "Reminder 2", body: "Pay 12 EUR?", tag: hold.id, url }));
  await expect.poll(() => notifications(page)).toMatchObject([{ title: "Reminder 2" }]);
  await deliver(page, "no JSON");
  await expect.poll(async () => (await notifications(page)).map(({ title }) => title)).toContain("Holdpoint");

  await panel.getByRole("button", { name: "Remove Ada's phone" }).click();
  await panel.getByRole("button", { name: "Turn on notifications" }).waitFor();
  await expect.poll(() => notifications(page)).toEqual([]);
  await on.call("POST", `/v1/holds/${hold.id}/cancel`, {});
  await page.context().close();
});

test("signing out ends the notifications of this device", async () => {
  const { page } = await pageWithPush(DESKTOP);
  await settings(page);
  const panel = page.getByRole("region", { name: "Notifications on this device" });
  await panel.getByRole("button", { name: "Turn on notifications" }).click();
  await panel.getByText("This device gets notifications.").waitFor();
  const devices = async () =>
    ((await (await on.call("GET", "/v1/push-devices?person=ada")).json()) as { devices: unknown[] }).devices;
  expect(await devices()).toHaveLength(1);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/console"));
  expect(await devices()).toEqual([]);
  await page.context().close();
});

test("the panel says in plain words why a browser gets no notifications", async () => {
  const page = await on.page({ ...DESKTOP, serviceWorkers: "allow" });
  await page.addInitScript(() => {
    Object.defineProperty(Notification, "permission", {
      get: () => localStorage.getItem("permission") ?? "default",
    });
    Notification.requestPermission = async () => "granted";
    PushManager.prototype.subscribe = () =>
      Promise.reject(new DOMException("push service error", "AbortError"));
  });
  await settings(page);
  const panel = page.getByRole("region", { name: "Notifications on this device" });
  await panel.getByRole("button", { name: "Turn on notifications" }).click();
  await panel.getByText("could not reach its push service", { exact: false }).waitFor();
  await page.evaluate(() => localStorage.setItem("permission", "denied"));
  await page.reload();
  await panel.getByText("This browser blocks notifications from the console.", { exact: false }).waitFor();
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, "PushManager"));
  await page.addInitScript(() => localStorage.clear());
  await page.reload();
  await panel.getByText("This browser cannot get notifications.", { exact: false }).waitFor();
  await page.context().close();
});

test("no page above had an error or a policy violation", () => {
  expect(on.trouble).toEqual([]);
});
