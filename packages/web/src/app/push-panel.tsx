/** Web push: turn it on for this browser, see the person's devices, remove one. */

import type { PushDeviceListOut, PushDeviceOut } from "@holdpoint/protocol";
import { Moment } from "@holdpoint/react";
import { type ReactNode, useState } from "react";
import { useActing, useApi, useLoaded } from "./hooks.ts";
import { Await, Panel } from "./parts.tsx";
import { loadDevices, nameOf, removeDevice, thisDevice, turnOn, whyNoPush } from "./push-device.ts";

const WORDS = {
  title: "Notifications on this device",
  hint: "A question for you appears on this device even if the console is closed. It shows who asks and what; pressing it opens the hold.",
  on: "This device gets notifications.",
  name: "Name of this device",
  turnOn: "Turn on notifications",
  waiting: "Turning on …",
  devices: "Your devices",
  here: "this device",
  added: "added",
  remove: (name: string | number) => `Remove ${name}`,
};

export function PushPanel(): ReactNode {
  const api = useApi();
  const devices = useLoaded(() => loadDevices(api));
  const { trouble, isBusy, run } = useActing(devices.reload);

  return (
    <Panel title={WORDS.title} hint={WORDS.hint} trouble={trouble}>
      <Await loaded={devices}>
        {(list) => (
          <>
            <ThisDevice
              list={list}
              isBusy={isBusy}
              onTurnOn={(name) => run(turnOn(api, list.public_key, name))}
            />
            <Devices list={list.devices} onRemove={(id) => run(removeDevice(api, id))} />
          </>
        )}
      </Await>
    </Panel>
  );
}

interface ThisDeviceProps {
  readonly list: PushDeviceListOut;
  readonly isBusy: boolean;
  readonly onTurnOn: (name: string) => void;
}

function ThisDevice({ list, isBusy, onTurnOn }: ThisDeviceProps): ReactNode {
  const [name, setName] = useState(() => nameOf(navigator.userAgent));
  const why = whyNoPush();
  if (why !== undefined) return <p>{why}</p>;
  if (thisDevice(list.devices) !== undefined) return <p role="status">{WORDS.on}</p>;
  return (
    <form
      className="app-form"
      onSubmit={(event) => {
        event.preventDefault();
        onTurnOn(name.trim());
      }}
    >
      <label>
        {WORDS.name}
        <input value={name} required maxLength={100} onChange={(event) => setName(event.target.value)} />
      </label>
      <button type="submit" className="app-button" disabled={isBusy}>
        {isBusy ? WORDS.waiting : WORDS.turnOn}
      </button>
    </form>
  );
}

interface DevicesProps {
  readonly list: readonly PushDeviceOut[];
  readonly onRemove: (id: string) => void;
}

function Devices({ list, onRemove }: DevicesProps): ReactNode {
  if (list.length === 0) return null;
  const here = thisDevice(list)?.id;
  return (
    <ul className="app-list" aria-label={WORDS.devices}>
      {list.map(({ id, name, created_at: made }) => (
        <li key={id}>
          <strong>{name}</strong>{" "}
          <small>
            {id === here ? `${WORDS.here}, ` : ""}
            {WORDS.added} <Moment at={made} />
          </small>{" "}
          <button type="button" className="hp-quiet" onClick={() => onRemove(id)}>
            {WORDS.remove(name)}
          </button>
        </li>
      ))}
    </ul>
  );
}
