/**
 * Sign-in links by e-mail.
 *
 * E1  The reply is the same, and takes as long, whether anybody has the address or not: looking it up and sending happen
 *     after the reply.
 * E2  A link works once, for fifteen minutes, and asks for a click, because mail filters open links.
 * E3  One network address and one mailbox can ask only so often.
 */

import type { Engine } from "../engine/engine.ts";
import { type Failure, failure } from "../kernel/failure.ts";
import { emailAccountId, type Person } from "../kernel/people/person.ts";
import { type Principal, SYSTEM } from "../kernel/principal.ts";
import type { Ids } from "../system/ids.ts";
import { Limiter, type Verdict } from "./limiter.ts";
import { newSignIn } from "./sign-in.ts";
import { type Letter, signInLetter } from "./sign-in-letter.ts";
import { personRow } from "./suspended.ts";

const LINK_MINUTES = 15;
const INVITATION_MINUTES = 3 * 24 * 60;
const PER_ADDRESS = { budget: 3, windowMs: 15 * 60_000 };
const PER_CALLER = { budget: 20, windowMs: 15 * 60_000 };

export type SentLetter = { readonly kind: "sent" } | { readonly kind: "failed"; readonly reason: string };

/** Sends one letter; the id makes its Message-ID. */
export type SendLetter = (to: string, letter: Letter, id: string) => Promise<SentLetter>;

export interface EmailParts {
  readonly engine: Engine;
  readonly ids: Ids;
  readonly publicUrl: string;
  readonly workspaces: readonly string[];
  /** What sends now; `undefined`: no e-mail channel does. One that is connected in the console comes and goes. */
  readonly sending: () => SendLetter | undefined;
  readonly onTrouble: (error: unknown) => void;
}

export class EmailSignIns {
  readonly #parts: EmailParts;
  readonly #perAddress: Limiter;
  readonly #perCaller: Limiter;
  readonly #running = new Set<Promise<void>>();

  constructor(parts: EmailParts) {
    this.#parts = parts;
    const { clock, store } = parts.engine;
    this.#perAddress = new Limiter(clock, PER_ADDRESS, { store, of: "sign-in-mail" });
    this.#perCaller = new Limiter(clock, PER_CALLER, { store, of: "sign-in-mail-caller" });
  }

  /** Whether people can ask for a link now. */
  get isOffered(): boolean {
    return this.#parts.sending() !== undefined;
  }

  /** Returns at once. Only too many requests from one network address are refused. */
  ask(address: string, ip: string, returnTo: string): Verdict {
    const verdict = this.#perCaller.spend(ip);
    if (!verdict.ok) return verdict;
    const mailbox = address.trim().toLowerCase().slice(0, ADDRESS_LENGTH_MAX);
    if (!this.#perAddress.spend(mailbox).ok) return verdict;
    const sending = this.#sendTo(mailbox, returnTo)
      .catch(this.#parts.onTrouble)
      .finally(() => this.#running.delete(sending));
    this.#running.add(sending);
    return verdict;
  }

  /** Sends a person the link that an admin made for them. */
  async invite(workspace: string, by: Principal, person: Person): Promise<Failure | null> {
    if (person.email === undefined)
      return failure("not_sent", "this person has no e-mail address; add one, or hand them a one-time link");
    const sent = await this.#send(workspace, by, person, person.email, "invitation", "/console");
    if (sent.kind === "sent") return null;
    return failure(
      "not_sent",
      `the invitation could not be sent (${sent.reason}); hand over a one-time link`,
    );
  }

  /** Waits until what was asked for is sent. */
  async stop(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #sendTo(address: string, returnTo: string): Promise<void> {
    const { engine, workspaces, onTrouble } = this.#parts;
    const id = emailAccountId(address);
    const wants = workspaces.map((workspace) => ({ workspace, kind: "account", id, read: true }) as const);
    for (const { workspace, body } of await engine.store.load(wants)) {
      const person = await personRow(engine.store, workspace, body.personId);
      if (person?.status !== "active" || person.email === undefined) continue;
      const sent = await this.#send(workspace, SYSTEM, person, person.email, "sign_in", returnTo);
      if (sent.kind !== "sent") onTrouble(new Error(`a sign-in link was not sent: ${sent.reason}`));
    }
  }

  async #send(
    workspace: string,
    by: Principal,
    { id: name, role }: Person,
    to: string,
    kind: "sign_in" | "invitation",
    returnTo: string,
  ): Promise<SentLetter> {
    const { engine, ids, publicUrl, sending } = this.#parts;
    const send = sending();
    if (send === undefined) return { kind: "failed", reason: "no e-mail channel is connected" };
    const minutes = kind === "sign_in" ? LINK_MINUTES : INVITATION_MINUTES;
    const given = {
      workspace,
      by,
      name,
      role,
      lastsMs: minutes * 60_000,
      isForPerson: true,
      how: "email",
    } as const;
    const made = await newSignIn(engine, ids, given);
    if (!made.ok) return { kind: "failed", reason: made.failure.message };
    const back = returnTo === "/console" ? "" : `&return=${encodeURIComponent(returnTo)}`;
    const url = `${publicUrl}/signin/link?token=${made.token}${back}`;
    const letter = signInLetter({ url, minutes, kind, host: new URL(publicUrl).host });
    return send(to, letter, `sign-in.${ids.next(engine.clock.now())}`);
  }
}

const ADDRESS_LENGTH_MAX = 320;
