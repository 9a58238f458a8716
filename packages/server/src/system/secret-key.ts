/** The key that secrets in the database are encrypted with, in a file that only this user can read. */

import { randomBytes } from "node:crypto";
import { readKeyFile } from "./key-file.ts";
import { type Sealer, sealerOf } from "./sealing.ts";
import { ConfigError } from "./yaml-file.ts";

/** The fewest characters of a key: an empty file or a short word would encrypt, and protect nothing. */
export const SECRET_KEY_LENGTH = 32;

/** The key is made once. */
export function sealerFromFile(path: string): Sealer {
  const key = readKeyFile(path, () => randomBytes(SECRET_KEY_LENGTH).toString("base64url")).trim();
  if (key.length >= SECRET_KEY_LENGTH) return sealerOf(key);
  throw new ConfigError(
    `${path} has no secret key of at least ${SECRET_KEY_LENGTH} characters; put it back from a backup, or delete the file and connect the bots again`,
  );
}
