/** The table of kinds, commands and facts for web push. */

import { managed } from "../access/manage.ts";
import { type CommandTable, type Domain, type FactTable, kind } from "../domain.ts";
import { must } from "../must.ts";
import { addDevice, addNeeds, keepKey, type PushCommand, type PushFact, removeDevice } from "./decide.ts";
import { PUSH_KEY, type PushDevices, type PushKey } from "./push.ts";

export const PUSH_KINDS = {
  push_devices: kind<PushDevices>(),
  push_key: kind<PushKey>(),
};

const commands = {
  add_push_device: { about: "push_devices", needs: addNeeds, decide: addDevice },
  remove_push_device: {
    about: "push_devices",
    needs: ({ personId }) => [{ kind: "push_devices", id: personId }],
    decide: removeDevice,
  },
  keep_push_key: managed("push_key", () => [{ kind: "push_key", id: PUSH_KEY }], keepKey),
} satisfies CommandTable<PushCommand>;

const facts: FactTable<PushFact> = {
  "push.device_added": {
    evolve(world, id, { device }) {
      const others = (world.get("push_devices", id)?.devices ?? []).filter(
        ({ id: other }) => other !== device.id,
      );
      return [{ kind: "push_devices", id, body: { devices: [...others, device] } }];
    },
    log: ({ device }) => ({ device_id: device.id, name: device.name }),
  },
  "push.device_removed": {
    evolve(world, id, { deviceId }) {
      const { devices } = must(world.get("push_devices", id), `devices of ${id}`);
      const left = devices.filter((device) => device.id !== deviceId);
      // The row stays without devices, so that a device that is added later continues the same log.
      return [{ kind: "push_devices", id, body: { devices: left } }];
    },
    log: ({ deviceId }) => ({ device_id: deviceId }),
  },
  "push.key_made": {
    evolve: (_world, id, { key }) => [{ kind: "push_key", id, body: key }],
    log: ({ key }) => ({ public_key: key.publicKey }),
  },
};

export const PUSH = { kinds: PUSH_KINDS, commands, facts } satisfies Domain;
