/** Devices that get web push messages, and the key that the server signs those messages with. */

/** One browser on one device, as its push service knows it. */
export interface PushDevice {
  /** A digest of the endpoint, so that the same browser is one device however often it subscribes. */
  readonly id: string;
  /** The address at the browser's push service. Whoever knows it can send to the device, so it is in no log (G9). */
  readonly endpoint: string;
  /** The browser's public key, to encrypt for. */
  readonly p256dh: string;
  readonly auth: string;
  /** What the person calls it. */
  readonly name: string;
  readonly madeAt: number;
}

/** The devices of one person. */
export interface PushDevices {
  readonly devices: readonly PushDevice[];
}

/** All servers sign with one key, because a browser's subscription is bound to it (VAPID, RFC 8292). */
export interface PushKey {
  /** The uncompressed point on P-256, base64url. */
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The id of the one row of kind `push_key`. */
export const PUSH_KEY = "push";

/** The most devices of one person. */
export const PUSH_DEVICES_MAX = 20;
