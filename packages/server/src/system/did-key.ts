/** A public Ed25519 key as a DID: whoever has the name has the key, and needs to ask nobody for it. */

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** Multicodec of an Ed25519 public key. */
const ED25519 = [0xed, 0x01];

export function didKeyOf(publicJwk: Readonly<Record<string, string>>): string {
  const key = Buffer.from(publicJwk["x"] ?? "", "base64url");
  return `did:key:z${base58([...ED25519, ...key])}`;
}

/** The multicodec prefix is never zero, so no leading zeros have to be kept. */
function base58(bytes: readonly number[]): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  while (rest > 0n) {
    text = ALPHABET.charAt(Number(rest % 58n)) + text;
    rest /= 58n;
  }
  return text;
}
