/** The suite that every file store must pass. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FileStore, gathered } from "./file-port.ts";

export interface FilesHarness extends AsyncDisposable {
  readonly files: FileStore;
  /** The same files through a second instance, as after a restart. */
  reopen(): Promise<FileStore>;
}

export function testFiles(name: string, open: () => Promise<FilesHarness>): void {
  describe(`${name} as a file store`, () => {
    let harness: FilesHarness;
    beforeEach(async () => {
      harness = await open();
    });
    afterEach(() => harness[Symbol.asyncDispose]());

    test("a file store returns files of any size unchanged, also after it is opened again (F1)", async () => {
      const big = Uint8Array.from({ length: 3_000_000 }, (_, at) => at % 251);
      await harness.files.write("file_1", inParts(big, 700_001));
      await harness.files.write("file_2", inParts(new Uint8Array(), 1));
      const again = await harness.reopen();
      expect(Buffer.compare(await whole(again, "file_1"), big)).toBe(0);
      expect(await whole(again, "file_2")).toHaveLength(0);
      expect(await idsOf(again)).toEqual(["file_1", "file_2"]);
    });

    test("a file store keeps nothing of a file whose upload fails", async () => {
      const broken = (async function* () {
        yield new Uint8Array(2_000_000);
        throw new Error("hung up");
      })();
      await expect(harness.files.write("file_1", broken)).rejects.toThrow("hung up");
      expect(await harness.files.read("file_1")).toBeUndefined();
      expect(await idsOf(harness.files)).toEqual([]);
    });

    test("a file store removes files, and removing a missing one is not an error", async () => {
      await harness.files.write("file_1", inParts(new Uint8Array(10), 3));
      await harness.files.write("file_2", inParts(new Uint8Array(10), 3));
      await harness.files.remove(["file_1", "file_9"]);
      await harness.files.remove(["file_1"]);
      await harness.files.remove([]);
      expect(await harness.files.read("file_1")).toBeUndefined();
      expect(await idsOf(harness.files)).toEqual(["file_2"]);
    });

    test("a file store rejects ids that contain a path or other characters", async () => {
      for (const id of ["../file_1", "a/b", "", "file 1", ".hidden"]) {
        await expect(harness.files.write(id, inParts(new Uint8Array(1), 1))).rejects.toThrow(
          "invalid file id",
        );
      }
    });
  });
}

async function* inParts(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function whole(files: FileStore, id: string): Promise<Buffer> {
  const parts = await files.read(id);
  if (parts === undefined) throw new Error(`Invariant: file ${id} does not exist`);
  return Buffer.concat(await gathered(parts));
}

async function idsOf(files: FileStore): Promise<readonly string[]> {
  return (await gathered(files.list())).toSorted();
}
