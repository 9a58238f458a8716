/** A push service as browsers use it: it checks the sender's token as RFC 8292 says, and a browser decrypts what arrives. */

import { createECDH, createPublicKey, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import ece from "http_ece";

export interface Pushed {
  readonly headers: IncomingMessage["headers"];
  /** Decrypted by the browser. */
  readonly message: string;
}

export interface FakeBrowser {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly received: readonly Pushed[];
}

export interface FakePushService extends AsyncDisposable {
  readonly origin: string;
  /** A browser that subscribed with this server key. */
  subscribe(serverKey: string): FakeBrowser;
  /** The browser ended its subscription: messages to it get 404. */
  unsubscribe(endpoint: string): void;
  /** The status for all further messages; 201 is success. */
  reply(status: number, headers?: Readonly<Record<string, string>>): void;
  stop(): Promise<void>;
}

interface Subscriber {
  readonly serverKey: string;
  readonly auth: Buffer;
  readonly keys: ReturnType<typeof createECDH>;
  readonly received: Pushed[];
}

export async function fakePushService(): Promise<FakePushService> {
  const subscribers = new Map<string, Subscriber>();
  let how: { readonly status: number; readonly headers: Readonly<Record<string, string>> } = {
    status: 201,
    headers: {},
  };
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const subscriber = subscribers.get(request.url ?? "");
    const wrong = subscriber === undefined ? 404 : whyNot(request, body, origin(), subscriber.serverKey);
    if (subscriber === undefined || wrong !== null) return end(response, wrong ?? 404);
    if (how.status >= 200 && how.status <= 299) {
      const message = ece
        .decrypt(body, { version: "aes128gcm", privateKey: subscriber.keys, authSecret: subscriber.auth })
        .toString("utf8");
      subscriber.received.push({ headers: request.headers, message });
    }
    end(response, how.status, how.headers);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    origin: origin(),
    subscribe(serverKey) {
      const path = `/send/${randomBytes(16).toString("hex")}`;
      const keys = createECDH("prime256v1");
      const p256dh = keys.generateKeys("base64url");
      const auth = randomBytes(16);
      const received: Pushed[] = [];
      subscribers.set(path, { serverKey, auth, keys, received });
      return { endpoint: origin() + path, p256dh, auth: auth.toString("base64url"), received };
    },
    unsubscribe(endpoint) {
      subscribers.delete(new URL(endpoint).pathname);
    },
    reply(status, headers = {}) {
      how = { status, headers };
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function end(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, headers).end();
}

const BODY_BYTES_MAX = 4_096 + 86;

/** The status that a push service refuses the request with, or `null`. */
function whyNot(
  { method, headers }: IncomingMessage,
  body: Buffer,
  origin: string,
  serverKey: string,
): number | null {
  if (method !== "POST") return 405;
  if (!/^\d+$/.test(String(headers["ttl"] ?? ""))) return 400;
  if (headers["content-encoding"] !== "aes128gcm") return 415;
  if (body.length > BODY_BYTES_MAX) return 413;
  const topic = headers["topic"];
  if (topic !== undefined && !/^[\w-]{1,32}$/.test(String(topic))) return 400;
  return isSignedBy(serverKey, String(headers["authorization"] ?? ""), origin) ? null : 403;
}

function isSignedBy(serverKey: string, header: string, origin: string): boolean {
  const token = /t=([\w-]+\.[\w-]+\.[\w-]+)/.exec(header)?.[1];
  const shown = /k=([\w-]+)/.exec(header)?.[1];
  if (token === undefined || shown !== serverKey) return false;
  const [head = "", claims = "", signature = ""] = token.split(".");
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<
    string,
    unknown
  >;
  if (aud !== origin || typeof exp !== "number" || !/^(https?:|mailto:)/.test(String(sub))) return false;
  const point = Buffer.from(serverKey, "base64url");
  const x = point.subarray(1, 33).toString("base64url");
  const y = point.subarray(33).toString("base64url");
  const key = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x, y } });
  return verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
}
