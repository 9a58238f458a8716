import { describe, expect, test } from "vitest";
import { fitsLength, hasLength, isDateTime, isEmail, isSafeUrl, isUri } from "./formats.ts";

describe("moments", () => {
  test.each([
    "2026-03-01T10:00:00Z",
    "2026-03-01t10:00:00z",
    "2026-03-01 10:00:00Z",
    "2026-03-01T10:00:00.123456+05:30",
    "2024-02-29T00:00:00Z",
    "2000-02-29T00:00:00Z",
    "1990-12-31T23:59:60Z",
    "1990-12-31T15:59:60-08:00",
    "1991-01-01T00:59:60+01:00",
  ])("HP-015 %s is a valid RFC 3339 time", (text) => {
    expect(isDateTime(text)).toBe(true);
  });

  test.each([
    "",
    "2026-03-01",
    "2026-03-01T10:00:00",
    "2026-03-01T10:00Z",
    "2026-03-01T10:00:00+0100",
    "2026-03-01T24:00:00Z",
    "2026-03-01T10:60:00Z",
    "2026-13-01T10:00:00Z",
    "2026-00-01T10:00:00Z",
    "2026-02-29T10:00:00Z",
    "1900-02-29T10:00:00Z",
    "2026-03-00T10:00:00Z",
    "2026-03-01T10:00:00+24:00",
    "2026-03-01T10:00:00+01:60",
    "1990-12-31T22:59:60Z",
    "1990-12-31T23:59:61Z",
    "2026-03-01T10:00:00Z\n",
  ])("HP-015 %j is not a valid RFC 3339 time", (text) => {
    expect(isDateTime(text)).toBe(false);
  });
});

describe("addresses", () => {
  test.each([
    "https://shop.example/review/a?token=b",
    "https://a",
    "http://localhost",
    "http://localhost:4100/reviews",
    "http://127.0.0.1:1/x",
  ])("HP-011 %s may carry a review", (url) => {
    expect(isSafeUrl(url)).toBe(true);
  });

  test.each([
    "http://shop.example/",
    "http://192.168.1.5/",
    "http://localhost.evil.example/",
    "http://localhost:evil/",
    "http://127.0.0.10/",
    "https://",
    "ftp://localhost/",
    "javascript:alert(1)",
    "https://a b/",
    " https://a/",
    "",
  ])("HP-011 %j may not carry a review", (url) => {
    expect(isSafeUrl(url)).toBe(false);
  });

  test.each([
    "urn:x:y",
    "mailto:a@b",
    "https://[::1]:80/",
    "https://[2001:db8::7:192.0.2.1]/",
    "https://[v1.a]/",
    "https://u:p@h/p?q#f",
    "a:/b/c",
  ])("%s is a URI", (text) => {
    expect(isUri(text)).toBe(true);
  });

  test.each([
    "//a",
    "a",
    "http:",
    "https://a/%zz",
    "https://a/#b#c",
    "https://ü.example/",
    "https://[::1::2]/",
    "https://[1:2:3:4:5:6:7]/",
    "https://[1:2:3:4:5:6:7:8::]/",
    "https://[::300.1.1.1]/",
    "https://[::g]/",
  ])("%s is not a URI", (text) => {
    expect(isUri(text)).toBe(false);
  });

  test("an e-mail address has a domain", () => {
    expect(isEmail("ada.l+x@mail.example")).toBe(true);
    for (const text of ["ada", "ada@", "ada@host", "a da@b.co", "ada@-b.co", ".ada@b.co"])
      expect(isEmail(text)).toBe(false);
  });
});

test("lengths count characters, not code units", () => {
  expect(fitsLength("😀".repeat(500), 500)).toBe(true);
  expect(fitsLength("😀".repeat(501), 500)).toBe(false);
  expect(fitsLength("a".repeat(2000), 500)).toBe(false);
  expect(hasLength("😀".repeat(31), 32)).toBe(false);
  expect(hasLength("😀".repeat(32), 32)).toBe(true);
});
