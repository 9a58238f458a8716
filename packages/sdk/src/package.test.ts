import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };

test("who installs the SDK installs the protocol and nothing else of ours or others'", () => {
  expect(Object.keys(manifest.dependencies)).toEqual(["@holdpoint/protocol"]);
  // The protocol brings it; a peer, so that schemas people write and ours are of one copy.
  expect(Object.keys(manifest.peerDependencies)).toEqual(["zod"]);
});
