/** Decides commands about devices for web push: people add and remove their own. */

import { whyNotManage } from "../access/manage.ts";
import type { Context } from "../context.ts";
import { accept, type Draft, type Reply, refuse } from "../draft.ts";
import { failure } from "../failure.ts";
import { currentPerson, personIdOf } from "../people/person.ts";
import { actorText, type Principal } from "../principal.ts";
import type { Need } from "../world.ts";
import { PUSH_DEVICES_MAX, PUSH_KEY, type PushDevice, type PushKey } from "./push.ts";

interface By {
  readonly workspace: string;
  readonly by: Principal;
}

export interface AddPushDevice extends By {
  readonly kind: "add_push_device";
  readonly device: Omit<PushDevice, "madeAt">;
}

export interface RemovePushDevice extends By {
  readonly kind: "remove_push_device";
  readonly personId: string;
  readonly deviceId: string;
}

/** The first server of the database made a key. Later ones keep that key. */
export interface KeepPushKey extends By {
  readonly kind: "keep_push_key";
  readonly key: PushKey;
}

export type PushCommand = AddPushDevice | RemovePushDevice | KeepPushKey;

export type PushFact =
  | { readonly type: "push.device_added"; readonly device: PushDevice }
  | { readonly type: "push.device_removed"; readonly deviceId: string }
  | { readonly type: "push.key_made"; readonly key: PushKey };

export function addNeeds({ by }: AddPushDevice): readonly Need[] {
  const id = personIdOf(by);
  return id === undefined
    ? []
    : [
        { kind: "push_devices", id },
        { kind: "person", id, read: true },
      ];
}

export function addDevice({ device, by }: AddPushDevice, draft: Draft, { now }: Context): Reply {
  const id = personIdOf(by);
  if (id === undefined)
    return refuse(
      failure("not_allowed", `the role ${by.role} stands for no person; sign in to the console as a person`),
    );
  if (currentPerson(draft, id)?.status !== "active")
    return refuse(
      failure("unknown_person", `there is no active person ${id}; an admin has to add them first`),
    );
  const others = (draft.get("push_devices", id)?.devices ?? []).filter((other) => other.id !== device.id);
  if (others.length >= PUSH_DEVICES_MAX)
    return refuse(failure("not_allowed", `a person can have ${PUSH_DEVICES_MAX} devices; remove one first`));
  const fact = { type: "push.device_added", device: { ...device, madeAt: now } } as const;
  draft.state({ kind: "push_devices", id, fact, at: now, actor: actorText(by) });
  return accept(id);
}

/** People remove their own; admins remove anybody's; the server removes what the push service no longer knows. */
export function removeDevice(
  { personId: id, deviceId, by }: RemovePushDevice,
  draft: Draft,
  { now }: Context,
): Reply {
  const denied = personIdOf(by) === id ? null : whyNotManage(by);
  if (denied !== null) return refuse(denied);
  const known = draft.get("push_devices", id)?.devices.some((device) => device.id === deviceId);
  if (known !== true) return refuse(failure("not_found", "this person has no device with this id"));
  const fact = { type: "push.device_removed", deviceId } as const;
  draft.state({ kind: "push_devices", id, fact, at: now, actor: actorText(by) });
  return accept(id);
}

export function keepKey({ key, by }: KeepPushKey, draft: Draft, { now }: Context): Reply {
  if (draft.get("push_key", PUSH_KEY) !== undefined) return accept(PUSH_KEY);
  const fact = { type: "push.key_made", key } as const;
  draft.state({ kind: "push_key", id: PUSH_KEY, fact, at: now, actor: actorText(by) });
  return accept(PUSH_KEY);
}
