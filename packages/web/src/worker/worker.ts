/**
 * The console's service worker: what was read can be read again without a connection. It answers reads only. Nothing
 * that changes something passes through it, and nothing is sent later by itself. It also shows web push messages.
 */

/// <reference lib="webworker" />

import { addressOf, bringToFront, shownOf } from "./push.ts";
import { aged, cacheNames, forgetOthers, isAsset, isRead, KEPT_FOR, KEPT_MAX, withKeptAt } from "./what.ts";

declare const self: ServiceWorkerGlobalScope;

/** Every session registers the worker under an address of its own, and so gets a worker that keeps nothing for others. */
const READER = new URL(self.location.href).searchParams.get(KEPT_FOR) ?? "";
const { pages: PAGES, reads: READS, assets: ASSETS } = cacheNames(READER);

self.addEventListener("install", () => void self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      await forgetOthers(caches, READER);
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  if (request.method !== "GET") return;
  if (isAsset(url)) event.respondWith(kept(request));
  else if (READER === "") return;
  else if (request.mode === "navigate" && url.pathname.startsWith("/console"))
    event.respondWith(fresh(request, PAGES));
  else if (isRead(url, request.headers.get("accept"))) event.respondWith(fresh(request, READS));
});

self.addEventListener("push", (event) => {
  const { title, options } = shownOf(event.data?.text(), self.location.origin);
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url } = (event.notification.data ?? {}) as { readonly url?: unknown };
  event.waitUntil(bringToFront(addressOf(url, self.location.origin), self.clients));
});

/** Names of built files contain a hash of their content, so a kept one is never old. */
async function kept(request: Request): Promise<Response> {
  const cache = await caches.open(ASSETS);
  const known = await cache.match(request);
  if (known !== undefined) return known;
  const reply = await fetch(request);
  if (reply.ok) await cache.put(request, reply.clone());
  return reply;
}

/** From the server; what was read last, if there is no connection. */
async function fresh(request: Request, name: string): Promise<Response> {
  const cache = await caches.open(name);
  // Every page of the console is the same document; only its address differs.
  const key = name === PAGES ? "/console" : request;
  try {
    const reply = await fetch(request);
    if (reply.status === 401) await forgetOthers(caches);
    else if (reply.ok && !reply.redirected) await remember(cache, key, await keeping(reply.clone(), name));
    return reply;
  } catch (fault) {
    const known = await cache.match(key);
    if (known !== undefined) return name === PAGES ? aged(known, Date.now()) : known;
    throw fault;
  }
}

async function keeping(reply: Response, name: string): Promise<Response> {
  return name === PAGES ? withKeptAt(reply, Date.now()) : reply;
}

async function remember(cache: Cache, key: Request | string, reply: Response): Promise<void> {
  await cache.put(key, reply);
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - KEPT_MAX)).map((old) => cache.delete(old)));
}
