/** Certificates for tests over TLS, made on the spot: nothing to keep secret, nothing to expire. */

import { createPublicKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface TestCertificate {
  readonly key: string;
  readonly cert: string;
}

/** Just enough DER: tag, length, contents. */
function der(tag: number, ...parts: readonly (Buffer | readonly number[])[]): Buffer {
  const contents = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const size = contents.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), contents]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const oid = (...bytes: readonly number[]): Buffer => der(0x06, bytes);
const bitString = (contents: Buffer): Buffer => der(0x03, [0], contents);
const time = (text: string): Buffer => der(0x18, Buffer.from(text, "ascii"));

const ECDSA_WITH_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const COMMON_NAME = oid(0x55, 0x04, 0x03);
const SUBJECT_ALT_NAME = oid(0x55, 0x1d, 0x11);
const VERSION_3 = der(0xa0, der(0x02, [2]));

/** A self-signed certificate for the given DNS names. */
export function selfSigned(names: readonly string[]): TestCertificate {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from("Holdpoint test")))));
  const altNames = sequence(...names.map((host) => der(0x82, Buffer.from(host, "ascii"))));
  const serial = der(0x02, [0x01], randomBytes(8));
  const toBeSigned = sequence(
    VERSION_3,
    serial,
    ECDSA_WITH_SHA256,
    name,
    sequence(time("20200101000000Z"), time("99991231235959Z")),
    name,
    publicKey,
    der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, der(0x04, altNames)))),
  );
  const certificate = sequence(
    toBeSigned,
    ECDSA_WITH_SHA256,
    bitString(sign("sha256", toBeSigned, privateKey)),
  );
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: ["-----BEGIN CERTIFICATE-----", ...lines(certificate), "-----END CERTIFICATE-----", ""].join("\n"),
  };
}

function lines(certificate: Buffer): readonly string[] {
  return certificate.toString("base64").match(/.{1,64}/g) ?? [];
}
