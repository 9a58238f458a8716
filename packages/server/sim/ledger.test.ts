import { describe, expect, test } from "vitest";
import { Ledger } from "./ledger.ts";

describe("what the outside has asked for", () => {
  test("an answer counts as given although its reply was lost, and only for who gave it and as it was given", () => {
    const ledger = new Ledger();
    ledger.asked("ada", "/v1/holds/hold_1/answer", { action: "reject" });
    expect(ledger.gave(["hold_1"], "ada", "reject")).toBe(true);
    expect(ledger.gave(["hold_1"], "ada", "approve")).toBe(false);
    expect(ledger.gave(["hold_1"], "vera", "reject")).toBe(false);
    expect(ledger.gave(["hold_2"], "ada", "reject")).toBe(false);
  });

  test("taking a hold or writing about it gives no answer", () => {
    const ledger = new Ledger();
    ledger.asked("ada", "/v1/holds/hold_1/assign", { to: "ada" });
    ledger.asked("ada", "/v1/holds/hold_1/comments", { text: "approve" });
    expect(ledger.gave(["hold_1"], "ada", "approve")).toBe(false);
  });

  test("an answer by a link counts for nobody's name, and one by a guessed token not at all", () => {
    const ledger = new Ledger();
    ledger.secrets.add("token");
    for (const token of ["token", "guess"])
      ledger.asked(undefined, `/review/review_${token}/answer?token=${token}`, "_action=approve");
    expect(ledger.gave(["hold_token"], undefined, "approve")).toBe(true);
    expect(ledger.gave(["hold_guess"], undefined, "approve")).toBe(false);
  });

  test("yes to a suspended intent confirms its hold", () => {
    const ledger = new Ledger();
    ledger.asked("ada", "/api/v1/intents/intent-1/suspend/respond", { suspension_id: "s1", value: "yes" });
    expect(ledger.gave(["hold_1", "intent-1"], "ada", "confirm")).toBe(true);
    expect(ledger.gave(["hold_1", "intent-1"], "ada", "cancel")).toBe(false);
  });
});
