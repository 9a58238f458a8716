/**
 * Recipients that name people or teams of the workspace. They are resolved when the notification is made: a delegate is told
 * instead of an absent person, and nobody is told who is suspended.
 */

import { readSource } from "../decision/decision.ts";
import { ruleNeeds, standInFor } from "../decision/entitled.ts";
import { currentTeam } from "../people/person.ts";
import { namesPeople } from "../platform.ts";
import type { Need, World } from "../world.ts";

/** What must be loaded to resolve these recipients. */
export function routeNeeds(recipients: readonly (string | undefined)[], world: World): readonly Need[] {
  const from = recipients.flatMap((to) => (to === undefined ? [] : (sourceOf(to) ?? [])));
  return from.length === 0 ? [] : ruleNeeds({ approve: [{ need: 1, from }] }, world);
}

/** OpenIntent's ladders name roles, such as `finance` or `role:finance`: a role is the team with this id. */
const ROLE = /^(?:role:)?([^@:]+)$/;

function sourceOf(to: string): string | undefined {
  if (namesPeople(to)) return to;
  const role = ROLE.exec(to)?.[1];
  return role === undefined ? undefined : `team:${role}`;
}

/** Each person as `person:<id>`. A recipient that finds nobody stays as it is, so that its delivery fails visibly. */
export function resolveRecipient(to: string, world: World, now: number): readonly string[] {
  const source = sourceOf(to);
  if (source === undefined) return [to];
  const { kind, id } = readSource(source);
  const named = kind === "person" ? [id] : (currentTeam(world, id)?.members ?? []);
  const present = named.map((person) => standInFor(person, world, now) ?? person);
  const active = present.filter((person) => world.get("person", person)?.status === "active");
  return active.length === 0 ? [to] : [...new Set(active)].map((person) => `person:${person}`);
}
