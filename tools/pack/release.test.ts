import { expect, test } from "vitest";
import { inPublishOrder, tarballName, whyNotNow } from "./release.ts";

const sdk = { name: "@h/sdk", version: "1.0.0", dependencies: { "@h/protocol": "1.0.0", zod: "4.0.0" } };
const server = { name: "h", version: "1.0.0", dependencies: { "@h/sdk": "1.0.0" } };
const protocol = { name: "@h/protocol", version: "1.0.0" };
const ready = { packages: [server, sdk, protocol], changelog: "# Changelog\n\n## 1.0.0\n", changedFiles: "" };

test("a release publishes a package after everything of ours that it depends on", () => {
  expect(inPublishOrder([server, sdk, protocol])).toEqual([protocol, sdk, server]);
});

test("a release refuses packages that depend on each other", () => {
  const one = { name: "one", version: "1.0.0", dependencies: { two: "1.0.0" } };
  const two = { name: "two", version: "1.0.0", dependencies: { one: "1.0.0" } };
  expect(() => inPublishOrder([one, two])).toThrow("one, two depend on each other");
});

test("a release goes ahead when versions, changelog and clone are in order", () => {
  expect(whyNotNow(ready)).toEqual([]);
});

test("a release lists every problem that stops it", () => {
  const packages = [sdk, { ...protocol, version: "0.9.0" }];
  expect(whyNotNow({ packages, changelog: "", changedFiles: " M README.md\n" })).toEqual([
    "@h/protocol has version 0.9.0, not 1.0.0. Give all packages one version.",
    'CHANGELOG.md has no section "## 1.0.0". Add one.',
    "The clone has changes that are not committed. Commit them first.",
  ]);
});

test("a tarball has the name that npm gives it", () => {
  expect([tarballName(sdk), tarballName(server)]).toEqual(["h-sdk-1.0.0.tgz", "h-1.0.0.tgz"]);
});
