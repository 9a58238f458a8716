import { describe, expect, it } from "vitest";
import { readCredentials } from "./credentials.ts";

describe("readCredentials", () => {
  it("reads the address and the key, and ignores other members", () => {
    expect(readCredentials('{"url":"http://127.0.0.1:4100","api_key":"hp_1","console":"x"}')).toEqual({
      url: "http://127.0.0.1:4100",
      apiKey: "hp_1",
    });
  });

  it.each(["", "{", "[]", "null", "{}", '{"url":1,"api_key":"k"}'])("finds no credentials in %j", (text) => {
    expect(readCredentials(text)).toBeNull();
  });
});
