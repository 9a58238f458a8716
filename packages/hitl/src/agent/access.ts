/**
 * How the agent reaches a service. The addresses in a HITL object come from the service's reply, so credentials are given
 * by origin: a reply that points elsewhere does not get to see the key of here.
 */

export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

export interface Access {
  readonly fetch: Fetch;
  headers(url: string): HeadersInit;
}

export interface AccessOptions {
  readonly fetch?: Fetch;
  /** Headers by origin, such as `{"https://api.shop.example": {authorization: "Bearer …"}}`. */
  readonly credentials?: Readonly<Record<string, HeadersInit>>;
}

/** How an agent calls services: `fetch`, and credentials for each origin, which go to that origin only. */
export function accessWith(options: AccessOptions = {}): Access {
  const byOrigin = new Map(
    Object.entries(options.credentials ?? {}).map(([origin, headers]) => [new URL(origin).origin, headers]),
  );
  return {
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    headers: (url) => byOrigin.get(new URL(url).origin) ?? {},
  };
}

export function request(access: Access, url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(access.headers(url));
  new Headers(init.headers).forEach((value, name) => {
    headers.set(name, value);
  });
  // A redirect could carry a key or a token to a place nobody named.
  return access.fetch(url, { ...init, headers, redirect: "error" });
}

/** Lets go of a body that nobody will read. Not waited for: a copied body only ends when both copies do. */
export function discard(response: Response): void {
  response.body?.cancel().catch(() => undefined);
}
