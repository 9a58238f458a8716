/** Whose devices a notice goes to. */

import type { Engine } from "../../engine/engine.ts";
import { emailAccountId, type Person, personMeant, standsForPerson } from "../../kernel/people/person.ts";
import { SYSTEM } from "../../kernel/principal.ts";
import type { OwnedDevice, PushParts } from "./channel.ts";

/** More people than this are not notified at once: a hold that names nobody belongs into a team's chat. */
const PEOPLE_MAX = 200;

export function pushDevices(engine: Pick<Engine, "store" | "run">): Pick<PushParts, "devicesOf" | "forget"> {
  const { store } = engine;
  const personOf = async (workspace: string, id: string): Promise<Person | undefined> =>
    (await store.load([{ workspace, kind: "person", id, read: true }]))[0]?.body;
  const devicesOfPerson = async (workspace: string, id: string): Promise<readonly OwnedDevice[]> => {
    const person = await personOf(workspace, id);
    if (person?.status !== "active" || !standsForPerson(person)) return [];
    const [row] = await store.load([{ workspace, kind: "push_devices", id, read: true }]);
    return (row?.body.devices ?? []).map((device) => ({ ...device, personId: id }));
  };
  return {
    async devicesOf(workspace, recipient) {
      if (recipient === null) {
        const rows = await store.query({ workspace, kind: "push_devices", limit: PEOPLE_MAX });
        return (await Promise.all(rows.map(({ id }) => devicesOfPerson(workspace, id)))).flat();
      }
      // People are also named by their e-mail address.
      const account = { workspace, kind: "account", id: emailAccountId(recipient), read: true } as const;
      const [owner] = await store.load([account]);
      return devicesOfPerson(workspace, personMeant(recipient, owner?.body));
    },
    async forget(workspace, { personId, id: deviceId }) {
      await engine.run({ kind: "remove_push_device", workspace, by: SYSTEM, personId, deviceId });
    },
  };
}
