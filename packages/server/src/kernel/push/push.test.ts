import { describe, expect, test } from "vitest";
import { ADMIN, AGENT, AUDITOR, DEV, NOW, OPERATOR } from "../../testing/core-samples.ts";
import { given } from "../../testing/given.ts";
import { asLogged } from "../../testing/tables.ts";
import type { Person } from "../people/person.ts";
import { SYSTEM } from "../principal.ts";
import { PUSH_DEVICES_MAX, PUSH_KEY } from "./push.ts";

const LIN = { ...OPERATOR, name: "lin" };
const PERSON: Person = {
  ...{ id: "lin", name: "Lin", role: "operator", teams: [], accounts: [], status: "active" },
  ...{ isVerified: true, source: "api", madeAt: 0 },
};
const withLin = (part: Partial<Person> = {}) =>
  given({ kind: "person", id: "lin", body: { ...PERSON, ...part } });

const PHONE = { id: "d1", endpoint: "https://push.example/1", p256dh: "key", auth: "auth", name: "Phone" };
const add = { kind: "add_push_device", device: PHONE } as const;
const remove = { kind: "remove_push_device", personId: "lin", deviceId: "d1" } as const;

describe("adding a device", () => {
  test("a person adds a device of their own, and subscribing again replaces it", () => {
    const added = withLin().when(add, { by: LIN }).then("push.device_added");
    expect(added.get("push_devices", "lin")?.devices).toEqual([{ ...PHONE, madeAt: NOW }]);
    const again = added
      .when({ ...add, device: { ...PHONE, auth: "new" } }, { by: LIN })
      .then("push.device_added");
    expect(again.get("push_devices", "lin")?.devices).toMatchObject([{ id: "d1", auth: "new" }]);
  });

  test.each([AGENT, AUDITOR, DEV])("the role $role stands for no person and adds none", (by) => {
    withLin().when(add, { by }).refused("not_allowed");
  });

  test.each([
    ["unknown", given()],
    ["suspended", withLin({ status: "suspended" })],
    ["erased", withLin({ erasedAt: 1 })],
  ])("a person who is %s adds none", (_why, start) => {
    start.when(add, { by: LIN }).refused("unknown_person");
  });

  test("a person has a bounded number of devices", () => {
    const devices = Array.from({ length: PUSH_DEVICES_MAX }, (_, n) => ({
      ...PHONE,
      id: `x${n}`,
      madeAt: 0,
    }));
    const full = given(
      { kind: "person", id: "lin", body: PERSON },
      { kind: "push_devices", id: "lin", body: { devices } },
    );
    full.when(add, { by: LIN }).refused("not_allowed");
    full.when({ ...add, device: { ...PHONE, id: "x0" } }, { by: LIN }).then("push.device_added");
  });

  test("the log has the device's name and neither its address nor its keys (G9)", () => {
    const [fact] = withLin().when(add, { by: LIN }).then("push.device_added").facts;
    expect(fact && asLogged(fact, "default")?.data).toEqual({ device_id: "d1", name: "Phone" });
  });
});

describe("removing a device", () => {
  const added = withLin().when(add, { by: LIN }).then("push.device_added");

  test.each([
    ["its owner", LIN],
    ["an admin", ADMIN],
    ["the server", SYSTEM],
  ])("%s removes it", (_who, by) => {
    const after = added.when(remove, { by }).then("push.device_removed");
    expect(after.get("push_devices", "lin")).toEqual({ devices: [] });
    const [fact] = after.facts;
    expect(fact && asLogged(fact, "default")?.data).toEqual({ device_id: "d1" });
  });

  test("the person's other devices stay", () => {
    const two = added.when({ ...add, device: { ...PHONE, id: "d2" } }, { by: LIN }).then("push.device_added");
    const after = two.when(remove, { by: LIN }).then("push.device_removed");
    expect(after.get("push_devices", "lin")?.devices).toMatchObject([{ id: "d2" }]);
  });

  test("another person cannot remove it, and an unknown device is not found", () => {
    added.when(remove, { by: OPERATOR }).refused("not_allowed");
    added.when({ ...remove, deviceId: "d9" }, { by: LIN }).refused("not_found");
    given().when(remove, { by: LIN }).refused("not_found");
  });
});

describe("the key for web push", () => {
  const key = { publicKey: "public", privateKey: "private" };
  const keep = { kind: "keep_push_key", key } as const;

  test("the first key is kept, and a later one changes nothing", () => {
    const first = given().when(keep, { by: SYSTEM }).then("push.key_made");
    const second = first.when({ ...keep, key: { publicKey: "b", privateKey: "c" } }, { by: SYSTEM }).then();
    expect(second.get("push_key", PUSH_KEY)).toEqual(key);
  });

  test("an operator cannot set it, and the log has its public part only (G9)", () => {
    given().when(keep, { by: OPERATOR }).refused("not_allowed");
    const [fact] = given().when(keep, { by: SYSTEM }).then("push.key_made").facts;
    expect(fact && asLogged(fact, "default")?.data).toEqual({ public_key: "public" });
  });
});
