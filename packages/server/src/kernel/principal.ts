/** Who acts, as authenticated. Names that a client merely sends are stored as `claimed` and grant nothing. */

import type { JsonObject } from "@holdpoint/protocol/rules";
import type { Reach } from "./browser-token/token.ts";

export const ROLES = ["agent", "app", "operator", "admin", "auditor", "dev"] as const;

/** Roles that a key can have. A `reviewer` holds a link; `system` is the server itself. */
export type KeyRole = (typeof ROLES)[number];
export type Role = KeyRole | "reviewer" | "system";

export interface Principal {
  readonly role: Role;
  readonly via: "key" | "session" | "link" | "channel" | "system";
  /** The id of the key, session or link; never its secret. */
  readonly id: string;
  /**
   * The name of the agent, app or person. Empty for a caller with a link: the kernel looks up whom the link was made
   * for (`throughLink`).
   */
  readonly name: string;
  /** When the signed-in person last proved who they are; absent: the caller used no session. */
  readonly signedInAt?: number;
  /** The asker made the link or received it, so using it proves nothing about a person (G7). */
  readonly givenTo?: "asker";
  /**
   * What the client says about the person behind it. Faces return it where a protocol requires it; nothing trusts it.
   */
  readonly claimed?: JsonObject;
  /** Set for a browser token: the holds that it reaches. */
  readonly reach?: Reach;
}

export const SYSTEM: Principal = { role: "system", via: "system", id: "system", name: "system" };

/** The user that an app relays. The app says who it is; nothing proves it. */
export function claimedId({ claimed }: Pick<Principal, "claimed">): string | undefined {
  const id = claimed?.["id"];
  return typeof id === "string" ? id : undefined;
}

/** The actor as it is written to the log: the name of a key or a signed-in person, or the id of a link. */
export function actorText(by: Principal): string {
  if (by.via === "system") return "system";
  return `${by.via}:${by.via === "link" ? by.id : by.name}`;
}

/** Whether the role sees every hold of the workspace, not only its own. */
export function seesAll(by: Principal): boolean {
  return (
    by.role === "operator" ||
    by.role === "admin" ||
    by.role === "auditor" ||
    by.role === "dev" ||
    by.role === "system"
  );
}

export function mayPlace(by: Principal): boolean {
  return by.role === "agent" || by.role === "app" || by.role === "dev";
}

/** Whether the role manages keys, people, webhooks and settings. */
export function mayManage(by: Principal): boolean {
  return by.role === "admin" || by.role === "dev";
}

/** Whether the role reads but never changes anything. */
export function onlyReads(by: Principal): boolean {
  return by.role === "auditor";
}

/** G7: an agent's key never answers, and neither does an auditor's. */
export function mayAnswer(by: Principal): boolean {
  return by.role !== "agent" && !onlyReads(by);
}

/** Whether the role sees keys, webhooks and whether the log is complete. */
export function seesSettings(by: Principal): boolean {
  return mayManage(by) || onlyReads(by);
}

/** Whether the role sees a hold's links and deliveries: operators need to know whether anybody was notified. */
export function seesDeliveries(by: Principal): boolean {
  return mayOperate(by) || onlyReads(by);
}

/** Whether the role acts for people: answers, cancels, makes links, releases claims. */
export function mayOperate(by: Pick<Principal, "role">): boolean {
  return by.role === "operator" || by.role === "admin" || by.role === "dev";
}
