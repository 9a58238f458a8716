import { expect, test } from "vitest";
import { mailIn } from "./mail-form.ts";

function form(values: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

const FIELDS = { host: " smtp.example.com ", port: "587", tls: "starttls", from: "a@example.com", to: "" };

test("an empty user and password are not sent, so that the channel keeps its password", () => {
  expect(mailIn(form({ ...FIELDS, user: "", password: "" }))).toEqual({
    ...{ platform: "email", host: "smtp.example.com", port: 587, tls: "starttls", from: "a@example.com" },
    to: [],
  });
});

test("a password is sent as it was typed, and addresses one by one", () => {
  const given = { ...FIELDS, user: "me", password: " p w ", to: "a@example.com, b@example.com" };
  expect(mailIn(form(given))).toMatchObject({
    ...{ user: "me", password: " p w ", to: ["a@example.com", "b@example.com"] },
  });
});

test("a port that is no number goes as text, so that the server says what is wrong", () => {
  expect(mailIn(form({ ...FIELDS, port: "smtp" }))["port"]).toBe("smtp");
});
