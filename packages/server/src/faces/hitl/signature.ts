/**
 * Signed results: RS256 over the canonical JSON of the case, its result and the time. RS256 is deterministic, so the signatures
 * of a poll, a stream and a callback are the same.
 */

import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import { canonicalJson } from "../../system/digest.ts";
import type { Signer } from "../../system/signing.ts";

/** Adds the signature to a poll, a frame's data or a callback that contains a result. */
export type SignResult = (body: JsonObject) => JsonObject;

/** Signatures to keep in memory: agents poll again after the end, and signing takes longer than the rest of a poll. */
const REMEMBERED_MAX = 1_000;

export function resultSigning(signer: Signer, publicUrl: string): SignResult {
  const remembered = new Map<string, string>();
  const sign = (text: string): string => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const value = signer.sign(text);
    remembered.set(text, value);
    const oldest = remembered.keys().next().value;
    if (remembered.size > REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
    return value;
  };
  return (body) => {
    const { case_id, completed_at: signed_at, result } = body;
    if (!isObject(result) || case_id === undefined || signed_at === undefined) return body;
    const { action, data } = result;
    const value = sign(canonicalJson({ case_id, action, data, signed_at }));
    const signer_url = `${publicUrl}/.well-known/jwks.json`;
    return {
      ...body,
      result: { ...result, signature: { algorithm: "RS256", value, signed_at, signer: signer_url } },
    };
  };
}
