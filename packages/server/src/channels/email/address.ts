/** A recipient's e-mail address: exactly one, even if an agent wrote a list. */

const ADDRESS = /^[^\s@<>(),;:\\"[\]]{1,64}@[^\s@<>(),;:\\"[\]]{1,255}$/u;

export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** `Name <address>` or an address alone; `null` if it is neither. */
export function readSender(text: string): { readonly name: string; readonly address: string } | null {
  const named = /^(?<name>[^<>\p{Cc}]*)<(?<address>[^<>]+)>$/u.exec(text.trim());
  const address = (named?.groups?.["address"] ?? text).trim();
  return isAddress(address) ? { name: (named?.groups?.["name"] ?? "").trim(), address } : null;
}
