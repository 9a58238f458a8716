/** An authenticator in software: makes ES256 passkeys and signs with them, as a device does, with every flag to choose. */

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

export interface Flags {
  /** Somebody touched the device. */
  readonly present?: boolean;
  /** The device knows who: a fingerprint, a PIN. */
  readonly verified?: boolean;
}

interface Options {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
}

export class Authenticator {
  readonly id = randomBytes(32).toString("base64url");
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  readonly #origin: string;
  counter = 0;

  constructor(origin = "http://localhost:4100") {
    this.#origin = origin;
    this.#keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  }

  /** What `navigator.credentials.create()` returns. */
  create({ rp, challenge }: Options) {
    const authData = Buffer.concat([this.#authData(rp?.id ?? "", {}, 0x40), this.#attested()]);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      ...[text("fmt"), text("none"), text("attStmt"), Buffer.from([0xa0]), text("authData"), bytes(authData)],
    ]);
    return {
      ...this.#frame(),
      response: {
        attestationObject: attestationObject.toString("base64url"),
        clientDataJSON: this.#clientData("webauthn.create", challenge).toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  /** What `navigator.credentials.get()` returns. */
  get({ rpId = "", challenge }: Options, flags: Flags = {}) {
    this.counter += 1;
    const authData = this.#authData(rpId, flags, 0);
    const clientData = this.#clientData("webauthn.get", challenge);
    const signed = Buffer.concat([authData, createHash("sha256").update(clientData).digest()]);
    return {
      ...this.#frame(),
      response: {
        authenticatorData: authData.toString("base64url"),
        clientDataJSON: clientData.toString("base64url"),
        signature: sign("sha256", signed, this.#keys.privateKey).toString("base64url"),
      },
    };
  }

  #frame() {
    return { id: this.id, rawId: this.id, type: "public-key", clientExtensionResults: {} } as const;
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }));
  }

  #authData(rpId: string, { present = true, verified = true }: Flags, more: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.counter);
    const flags = (present ? 0x01 : 0) | (verified ? 0x04 : 0) | more;
    return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([flags]), count]);
  }

  /** The id and the COSE public key, as they stand in the authenticator data of a registration. */
  #attested(): Buffer {
    const id = Buffer.from(this.id, "base64url");
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const point = [x, y].map((part) => bytes(Buffer.from(part, "base64url")));
    // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
    const key = [
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      ...[point[0] as Buffer, Buffer.from([0x22]), point[1] as Buffer],
    ];
    return Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, ...key]);
  }
}

/** CBOR, as little of it as is needed. */
function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
}

function bytes(value: Buffer): Buffer {
  const head = value.length < 256 ? [0x58, value.length] : [0x59, value.length >> 8, value.length & 0xff];
  return Buffer.concat([Buffer.from(head), value]);
}
