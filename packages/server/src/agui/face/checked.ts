/** What a handler says before a run begins, in this server's words and with its codes. */

import type { Code } from "@holdpoint/protocol";
import { HttpTrouble } from "../../faces/http/respond.ts";

const CODES: Readonly<Record<number, Code>> = {
  403: "not_allowed",
  413: "too_large",
  415: "unsupported_media_type",
};

/** The handler says what is wrong with a body; who may do what is said in this server's words. */
export async function checked(response: Response): Promise<Response> {
  if (response.ok) return response;
  const code = CODES[response.status] ?? "invalid_body";
  if (code === "not_allowed") throw new HttpTrouble({ code, detail: "this key answers nothing" });
  const { error = "", path = "" } = (await response.json()) as {
    readonly error?: string;
    readonly path?: string;
  };
  const fields = path === "" ? {} : { fields: [{ key: path, rule: "form", message: error }] };
  throw new HttpTrouble({ code, detail: error, ...fields });
}
