import { describe, expect, it } from "vitest";
import { StoreUnavailable } from "../store-error.ts";
import { isRefused, storeFault } from "./faults.ts";

const coded = (code: string) => Object.assign(new Error("no"), { code });

describe("errors from PostgreSQL", () => {
  it.each(["57P01", "25006", "25P03", "ECONNRESET", "08006"])(
    "the error %s is retryable on another connection, if nothing can have been committed",
    (code) => {
      expect(storeFault(coded(code), true)).toMatchObject({ name: "StoreUnavailable", retryable: true });
      expect(storeFault(coded(code), false)).toMatchObject({ name: "StoreUnavailable", retryable: false });
    },
  );

  it.each([
    coded("57014"),
    coded("ETIMEDOUT"),
    new Error("Query read timeout"),
    new Error("timeout exceeded when trying to connect"),
  ])("the timeout %s is not retried, because the caller has already waited long enough", (fault) => {
    const known = storeFault(fault, true);
    expect(known).toMatchObject({ name: "StoreUnavailable", retryable: false });
    expect(isRefused(known as StoreUnavailable)).toBe(true);
  });

  it.each(["53100", "53200", "53300", "28P01", "28000", "3D000", "57P03"])(
    "the error %s means that the database is unavailable",
    (code) => {
      expect(storeFault(coded(code))).toBeInstanceOf(StoreUnavailable);
    },
  );

  it.each(["40001", "40P01", "55P03"])(
    "the error %s means a conflict with another server and is retryable",
    (code) => {
      expect(storeFault(coded(code))).toMatchObject({ name: "StoreContention", retryable: true });
    },
  );

  it.each(["23505", "42601"])("the error %s is a bug of ours and is passed on unchanged", (code) => {
    const fault = coded(code);
    expect(storeFault(fault)).toBe(fault);
  });
});
