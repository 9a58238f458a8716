/** Stands in for Node's global `Buffer` in the bundle: as much of it as the server's parts use. */

type Encoding = "utf8" | "hex" | "base64" | "base64url";

export class Bytes extends Uint8Array {
  override toString(encoding: Encoding = "utf8"): string {
    if (encoding === "utf8") return new TextDecoder().decode(this);
    if (encoding === "hex") return Array.from(this, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const base64 = btoa(Array.from(this, (byte) => String.fromCharCode(byte)).join(""));
    if (encoding === "base64") return base64;
    return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }
}

export const Buffer = {
  from(source: string | ArrayLike<number>, encoding: Encoding = "utf8"): Bytes {
    if (typeof source !== "string") return new Bytes(source);
    return new Bytes(encoding === "base64url" ? fromBase64Url(source) : new TextEncoder().encode(source));
  },

  byteLength(text: string): number {
    return new TextEncoder().encode(text).length;
  },

  concat(parts: readonly Uint8Array[]): Bytes {
    const whole = new Bytes(parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  },
};

/** Like Node, it skips what is not base64url. */
function fromBase64Url(text: string): Uint8Array {
  const base64 = text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replaceAll(/[^A-Za-z0-9+/]/g, "");
  const whole = base64.slice(0, base64.length - (base64.length % 4 === 1 ? 1 : 0));
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}
