/** Calls that fail because the test wants them to. */

import { RetryableError } from "@holdpoint/protocol/client";

type Fault = { readonly kind: "fails"; readonly error: Error } | { readonly kind: "reply_is_lost" };

export class Faults {
  readonly #planned = new Map<PropertyKey, Fault[]>();

  plan(method: string, fault: Fault): void {
    const planned = this.#planned.get(method) ?? [];
    planned.push(fault);
    this.#planned.set(method, planned);
  }

  /** The client, except that calls with a planned fault fail. */
  over<Client extends object>(client: Client): Client {
    return new Proxy(client, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return (...given: unknown[]) => this.#call(name, () => member.apply(target, given));
      },
    });
  }

  #call(name: PropertyKey, run: () => unknown): unknown {
    const fault = this.#planned.get(name)?.shift();
    if (fault === undefined) return run();
    if (fault.kind === "fails") return Promise.reject(fault.error);
    return Promise.resolve(run()).then(() => {
      throw unreachable(`The reply to ${String(name)} was lost`);
    });
  }
}

/** What the HTTP client throws after its last retry. */
export function unreachable(what: string): RetryableError {
  return new RetryableError({ code: "no_reply", message: `${what}, because the test planned it.` });
}
