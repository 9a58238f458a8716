/** Where a recipient gets mail: one address, never a list of them, whatever an agent wrote. */

const ADDRESS = /^[^\s@<>(),;:\\"[\]]{1,64}@[^\s@<>(),;:\\"[\]]{1,255}$/u;

export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** `Name <address>` or an address alone; null when it is neither. */
export function readSender(text: string): { readonly name: string; readonly address: string } | null {
  const named = /^(?<name>[^<>\p{Cc}]*)<(?<address>[^<>]+)>$/u.exec(text.trim());
  const address = (named?.groups?.["address"] ?? text).trim();
  return isAddress(address) ? { name: (named?.groups?.["name"] ?? "").trim(), address } : null;
}
