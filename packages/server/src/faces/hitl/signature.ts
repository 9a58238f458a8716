/**
 * Signed results: RS256 over the canonical JSON of the case, its result and the time. RS256 is deterministic, so the signatures
 * of a poll, a stream and a callback are the same.
 */

import { isObject, type JsonObject } from "@holdpoint/protocol/rules";
import { canonicalJson } from "../../system/canonical-json.ts";
import type { Signer } from "../../system/signing.ts";
import { NewestCache } from "../http/newest-cache.ts";

/** Adds the signature to a poll, a frame's data or a callback that contains a result. */
export type SignResult = (body: JsonObject) => JsonObject;

/** Signatures to keep in memory: agents poll again after the end, and signing takes longer than the rest of a poll. */
const SIGNATURES_MAX = 1_000;

export function resultSigning(signer: Signer, publicUrl: string): SignResult {
  const signatures = new NewestCache<string>(SIGNATURES_MAX);
  return (body) => {
    const { case_id, completed_at: signed_at, result } = body;
    if (!isObject(result) || case_id === undefined || signed_at === undefined) return body;
    const { action, data } = result;
    const text = canonicalJson({ case_id, action, data, signed_at });
    const value = signatures.get(text, () => signer.sign(text));
    const signer_url = `${publicUrl}/.well-known/jwks.json`;
    return {
      ...body,
      result: { ...result, signature: { algorithm: "RS256", value, signed_at, signer: signer_url } },
    };
  };
}
