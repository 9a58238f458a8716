/** A public Ed25519 key as a DID. The name contains the key, so nobody has to look it up. */

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
/** The multicodec prefix of an Ed25519 public key. */
const ED25519 = [0xed, 0x01];

export function didKeyOf(publicJwk: Readonly<Record<string, string>>): string {
  const key = Buffer.from(publicJwk["x"] ?? "", "base64url");
  return `did:key:z${base58([...ED25519, ...key])}`;
}

/** The multicodec prefix is never zero, so leading zeros need no special case. */
function base58(bytes: readonly number[]): string {
  let rest = BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
  let text = "";
  while (rest > 0n) {
    text = ALPHABET.charAt(Number(rest % 58n)) + text;
    rest /= 58n;
  }
  return text;
}
