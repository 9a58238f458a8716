/** This browser as a device for web push: whether it can be one, and how it becomes one and stops being one. */

import type { PushDeviceListOut, PushDeviceOut } from "@holdpoint/protocol";
import type { Api } from "./api.ts";
import { keep, kept } from "./prefs.ts";

/** The id that the server gave to this browser. */
const DEVICE = "holdpoint.push-device";
const PATH = "/v1/push-devices";

export const WHY_NOT = {
  insecure: "Notifications on a device need a secure address: open the console with https.",
  unsupported:
    "This browser cannot get notifications. On an iPhone or iPad, add the console to the home screen and open it from there.",
  denied:
    "This browser blocks notifications from the console. Allow them in the browser's settings for this site, then load this page again.",
  dismissed: "Notifications were not allowed, so nothing was changed.",
  failed:
    "The browser could not reach its push service, so nothing was changed. Private windows and some networks do not allow it.",
} as const;

/** Plain words if this browser cannot get notifications; `undefined` if it can. */
export function whyNoPush(): string | undefined {
  if (!isSecureContext) return WHY_NOT.insecure;
  const isSupported =
    "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
  if (!isSupported) return WHY_NOT.unsupported;
  return Notification.permission === "denied" ? WHY_NOT.denied : undefined;
}

export function thisDevice(devices: readonly PushDeviceOut[]): PushDeviceOut | undefined {
  const id = kept(DEVICE);
  return devices.find((device) => device.id === id);
}

/** Returns what went wrong in the browser; the server's refusals are thrown. */
export async function turnOn(api: Api, key: string, name: string): Promise<string | undefined> {
  const permission = await Notification.requestPermission();
  if (permission !== "granted") return permission === "denied" ? WHY_NOT.denied : WHY_NOT.dismissed;
  const { pushManager } = await navigator.serviceWorker.ready;
  // One that is left over may belong to the person who was signed in before, or to another server key.
  await (await pushManager.getSubscription())?.unsubscribe();
  const subscription = await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: key })
    .catch(() => undefined);
  if (subscription === undefined) return WHY_NOT.failed;
  const { endpoint, keys } = subscription.toJSON();
  try {
    const device = await api.send<PushDeviceOut>("POST", PATH, { endpoint, keys, name });
    keep(DEVICE, device.id);
  } catch (fault) {
    await subscription.unsubscribe();
    throw fault;
  }
  return undefined;
}

export async function removeDevice(api: Api, id: string): Promise<undefined> {
  await api.send("DELETE", `${PATH}/${encodeURIComponent(id)}`);
  if (id === kept(DEVICE)) await unsubscribe();
}

const SIGN_OUT_WAIT_MS = 3_000;

/** What the next person at this browser sees must not be for the person who signs out. */
export async function leaveDevice(api: Api): Promise<void> {
  const id = kept(DEVICE);
  if (id === null) return;
  const late = new Promise<void>((resolve) => setTimeout(resolve, SIGN_OUT_WAIT_MS));
  await Promise.race([Promise.allSettled([removeDevice(api, id), unsubscribe()]), late]);
}

export function isDevice(): boolean {
  return kept(DEVICE) !== null;
}

async function unsubscribe(): Promise<void> {
  keep(DEVICE, null);
  const registration = await navigator.serviceWorker.getRegistration("/console");
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
}

export const loadDevices = (api: Api) => api.get<PushDeviceListOut>(PATH);

const BROWSERS = [
  [/Edg(?:A|iOS)?\//, "Edge"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrom(?:e|ium)\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;
const SYSTEMS = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "Mac"],
  [/Linux|CrOS/, "Linux"],
] as const;

/** A name to begin with: `Chrome on Android`. */
export function nameOf(userAgent: string): string {
  const find = (known: readonly (readonly [RegExp, string])[]) =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [find(BROWSERS) ?? "Browser", find(SYSTEMS)];
  return system === undefined ? browser : `${browser} on ${system}`;
}
