/** Who acts, as authenticated. Names that a client merely sends travel as `claimed` and decide nothing. */

import type { JsonObject } from "@holdpoint/protocol/rules";

export const ROLES = ["agent", "app", "operator", "admin", "auditor", "dev"] as const;

/** Roles that a key can have; `reviewer` holds a link, `system` is the server itself. */
export type KeyRole = (typeof ROLES)[number];
export type Role = KeyRole | "reviewer" | "system";

export interface Principal {
  readonly role: Role;
  readonly via: "key" | "session" | "link" | "channel" | "system";
  /** Of the key, the session or the link: never the secret itself. */
  readonly id: string;
  /** Agent, app or person. Empty for whoever comes by a link: the core says for whom the link was made (`throughLink`). */
  readonly name: string;
  /** The link was made by the asker or handed to it, so it says nothing about a person (G7). */
  readonly givenTo?: "asker";
  /** What the client says about the person behind it. Echoed where a protocol asks for it, trusted nowhere. */
  readonly claimed?: JsonObject;
}

export const SYSTEM: Principal = { role: "system", via: "system", id: "system", name: "system" };

/** How the log names an actor. */
export function actorText(by: Principal): string {
  if (by.via === "system") return "system";
  return `${by.via}:${by.via === "key" ? by.name : by.id}`;
}

/** Sees every hold of its workspace, not only its own. */
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

/** Manages keys, people, webhooks and settings. */
export function mayManage(by: Principal): boolean {
  return by.role === "admin" || by.role === "dev";
}

/** Changes nothing, whatever it may see. */
export function onlyReads(by: Principal): boolean {
  return by.role === "auditor";
}

/** G7: an agent's key never answers, and neither does whoever only reads. */
export function mayAnswer(by: Principal): boolean {
  return by.role !== "agent" && !onlyReads(by);
}

/** Sees keys, webhooks and whether the log is whole. */
export function seesSettings(by: Principal): boolean {
  return mayManage(by) || onlyReads(by);
}

/** Sees whom a hold was sent to: links and deliveries. Who answers has to know whether anybody was told. */
export function seesDeliveries(by: Principal): boolean {
  return mayOperate(by) || onlyReads(by);
}

/** Acts for people: answers, cancels, makes links, releases claims. */
export function mayOperate(by: Principal): boolean {
  return by.role === "operator" || by.role === "admin" || by.role === "dev";
}
