import { describe, expect, it } from "vitest";
import { EventsQuery, ListQuery, WaitQuery } from "./query.ts";

describe("query parameters", () => {
  it("reads numbers from digits", () => {
    expect(WaitQuery.parse({ wait: "30" })).toEqual({ wait: 30 });
    expect(ListQuery.parse({ limit: "200" })).toEqual({ limit: 200 });
  });

  it.each(["", "-1", "1.5", "1e3", " 7", "9999"])("refuses %j as a wait", (wait) => {
    expect(WaitQuery.safeParse({ wait }).success).toBe(false);
  });

  it("refuses positions beyond the safe integers", () => {
    expect(EventsQuery.safeParse({ after: "9007199254740993" }).success).toBe(false);
  });

  it("reads lists separated by commas", () => {
    expect(EventsQuery.parse({ types: "hold.decided,hold.expired", hold_id: "a" })).toEqual({
      types: ["hold.decided", "hold.expired"],
      hold_id: ["a"],
    });
  });

  it("refuses unknown parameters", () => {
    expect(ListQuery.safeParse({ page: "2" }).success).toBe(false);
  });
});
