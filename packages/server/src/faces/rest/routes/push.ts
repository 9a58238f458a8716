/** Devices for web push. People add and remove their own; admins see and remove those of everybody. */

import { isOwn } from "../../../kernel/access/sessions.ts";
import { seesSettings } from "../../../kernel/principal.ts";
import type { PushDevice } from "../../../kernel/push/push.ts";
import { sha256 } from "../../../system/digest.ts";
import { fail } from "../../http/failure.ts";
import { time } from "../../http/present.ts";
import { refuseTarget } from "../calls/caller.ts";
import type { RestDeps } from "../deps.ts";
import { accepted } from "../errors.ts";
import type { Routes } from "../operations.ts";

const ID_LENGTH = 32;

export const push = {
  async listPushDevices({ workspace, by, query }, deps) {
    const { person = by.name } = query ?? {};
    // An agent may have the name of a person, and has no devices.
    if (!isOwn({ name: person }, by) && !seesSettings(by)) throw fail("not_allowed");
    const devices = await devicesOf(workspace, person, deps);
    const { publicKey } = await deps.pushKey();
    return {
      status: 200,
      body: { public_key: publicKey, devices: devices.map((one) => present(one, person)) },
    };
  },

  async addPushDevice({ workspace, by, body }, deps) {
    const { endpoint, keys, name = "Device" } = body;
    refuseTarget(endpoint, deps);
    const id = `device_${sha256(endpoint).slice("sha256:".length, "sha256:".length + ID_LENGTH)}`;
    const device = { id, endpoint, ...keys, name };
    const added = accepted(await deps.engine.run({ kind: "add_push_device", workspace, by, device }), by);
    const found = added.body.devices.find((one) => one.id === id);
    if (found === undefined) throw new Error(`Invariant: device ${id} was added and is not in its row`);
    return { status: 201, body: present(found, by.name) };
  },

  async removePushDevice({ workspace, by, params, query }, deps) {
    const { person = by.name } = query ?? {};
    const before = (await devicesOf(workspace, person, deps)).find(({ id }) => id === params.id);
    const command = {
      kind: "remove_push_device",
      workspace,
      by,
      personId: person,
      deviceId: params.id,
    } as const;
    accepted(await deps.engine.run(command), by);
    if (before === undefined) throw fail("not_found");
    return { status: 200, body: present(before, person) };
  },
} satisfies Routes;

async function devicesOf(
  workspace: string,
  id: string,
  { engine }: RestDeps,
): Promise<readonly PushDevice[]> {
  const [row] = await engine.store.load([{ workspace, kind: "push_devices", id, read: true }]);
  return row?.body.devices ?? [];
}

/** A caller that knows an endpoint can send to it, so only its host is shown. */
function present({ id, name, endpoint, madeAt }: PushDevice, person: string) {
  return { id, person, name, service: new URL(endpoint).host, created_at: time(madeAt) };
}
