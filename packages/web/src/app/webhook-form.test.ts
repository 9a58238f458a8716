import { expect, test } from "vitest";
import { webhookIn } from "./webhook-form.ts";

function form(values: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

test("an empty address and an empty secret are not sent, so that the channel keeps both", () => {
  expect(webhookIn("pagerduty", form({ url: " ", secret: "", to: "" }))).toEqual({
    ...{ platform: "webhook", preset: "pagerduty", to: [] },
  });
});

test("recipients that the form of a service does not show stay as they are", () => {
  expect(webhookIn("pagerduty", form({ secret: "R0" }), { to: ["ops"] })).toMatchObject({ to: ["ops"] });
  expect(webhookIn("webhook", form({ to: "" }), { to: ["ops"] })).toMatchObject({ to: [] });
});

test("a receiver of one's own has no preset; address, secret and recipients are sent without spaces around them", () => {
  const given = { url: " https://example.com/hook ", secret: " whsec_1 ", to: "ops, lead" };
  expect(webhookIn("webhook", form(given))).toEqual({
    ...{ platform: "webhook", url: "https://example.com/hook", secret: "whsec_1", to: ["ops", "lead"] },
  });
});
