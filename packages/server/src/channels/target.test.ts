import { describe, expect, it } from "vitest";
import { ALLOW_NOTHING, readAllowList } from "./allow-list.ts";
import { checkTarget, type OutgoingPolicy } from "./target.ts";

const STRICT: OutgoingPolicy = { allow: ALLOW_NOTHING, loopback: false };
const LOCAL: OutgoingPolicy = { allow: ALLOW_NOTHING, loopback: true };

function allowing(text: string): OutgoingPolicy {
  const read = readAllowList(text);
  if (read.kind === "refused") throw new Error(`bad allow list entry ${read.entry}`);
  return { allow: read.list, loopback: false };
}

function verdict(url: string, policy: OutgoingPolicy = STRICT): string {
  const check = checkTarget(url, policy);
  return check.kind === "ok" ? "ok" : check.reason;
}

describe("public targets", () => {
  it.each([
    "https://example.com/hook",
    "https://example.com:8443/hook?a=b",
    "https://example.com./hook",
    "https://bücher.example/hook",
    "https://8.8.8.8/hook",
    "https://[2606:4700:4700::1111]/hook",
    "https://[::ffff:8.8.8.8]/hook",
    "https://[64:ff9b::808:808]/hook",
  ])("the public target %s is allowed", (url) => {
    expect(verdict(url)).toBe("ok");
  });
});

describe("private and reserved addresses", () => {
  const closed: readonly (readonly [string, string])[] = [
    ["unspecified", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["private 10/8", "10.1.2.3"],
    ["private 172.16/12", "172.31.255.255"],
    ["private 192.168/16", "192.168.0.1"],
    ["loopback", "127.0.0.1"],
    ["another loopback address in 127/8", "127.8.8.8"],
    ["link-local, where clouds keep credentials", "169.254.169.254"],
    ["carrier NAT", "100.64.0.1"],
    ["protocol assignments", "192.0.0.1"],
    ["documentation 1", "192.0.2.1"],
    ["documentation 2", "198.51.100.1"],
    ["documentation 3", "203.0.113.1"],
    ["6to4 relay", "192.88.99.1"],
    ["benchmarking", "198.18.0.1"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["decimal", "2130706433"],
    ["hexadecimal", "0x7f000001"],
    ["hexadecimal parts", "0x7f.0x0.0x0.0x1"],
    ["octal parts", "0177.0.0.01"],
    ["octal whole", "017700000001"],
    ["two parts", "127.1"],
    ["three parts", "10.1.515"],
    ["a trailing dot", "127.0.0.1."],
    ["full-width digits", "１２７.０.０.１"],
    ["enclosed digits", "①②⑦.⓪.⓪.①"],
    ["ideographic full stops", "127。0。0。1"],
    ["percent-encoded", "%31%32%37.0.0.1"],
    ["IPv6 unspecified", "[::]"],
    ["IPv6 loopback", "[::1]"],
    ["IPv6 loopback, spelled out", "[0:0:0:0:0:0:0:1]"],
    ["IPv6 link-local", "[fe80::1]"],
    ["IPv6 old site-local", "[fec0::1]"],
    ["unique local", "[fd12:3456::1]"],
    ["IPv6 multicast", "[ff02::1]"],
    ["IPv4-mapped private", "[::ffff:10.0.0.1]"],
    ["IPv4-mapped loopback in hexadecimal", "[::ffff:7f00:1]"],
    ["IPv4-translated", "[::ffff:0:10.0.0.1]"],
    ["IPv4-compatible", "[::10.0.0.1]"],
    ["IPv4-compatible public", "[::8.8.8.8]"],
    ["NAT64 with a private address inside", "[64:ff9b::10.0.0.1]"],
    ["NAT64 with the metadata address inside", "[64:ff9b::a9fe:a9fe]"],
    ["local NAT64", "[64:ff9b:1::8.8.8.8]"],
    ["6to4 with a private address inside", "[2002:0a00:0001::1]"],
    ["6to4 with a public address inside", "[2002:0808:0808::1]"],
    ["Teredo", "[2001:0:4136:e378:8000:63bf:3fff:fdd2]"],
    ["IPv6 documentation", "[2001:db8::1]"],
    ["newer IPv6 documentation", "[3fff::1]"],
    ["IPv6 benchmarking", "[2001:2::1]"],
    ["discard", "[100::1]"],
    ["segment routing", "[5f00::1]"],
    ["unassigned", "[4000::1]"],
  ];

  it.each(closed)("a target with a closed address is refused (%s): %s", (_what, host) => {
    expect(verdict(`https://${host}/hook`)).toBe("address");
  });

  it("localhost is refused under every name", () => {
    for (const host of ["localhost", "LOCALHOST", "localhost.", "agent.localhost"]) {
      expect(verdict(`https://${host}/hook`)).toBe("address");
    }
  });
});

describe("malformed targets", () => {
  it.each([
    ["not_a_url", ""],
    ["not_a_url", "/hook"],
    ["not_a_url", "https://"],
    ["not_a_url", "https://[fe80::1%25eth0]/"],
    ["not_a_url", "https://[fe80::1%eth0]/"],
    ["not_a_url", "https://256.256.256.256/"],
    ["not_a_url", "https://1.2.3.4.5/"],
    ["not_a_url", "https://a b.example/"],
    ["not_a_url", `https://example.com/${"a".repeat(2_048)}`],
    ["scheme", "ftp://example.com/"],
    ["scheme", "file:///etc/passwd"],
    ["scheme", "javascript:alert(1)"],
    ["scheme", "gopher://example.com/"],
    ["credentials", "https://user@example.com/"],
    ["credentials", "https://user:pass@example.com/"],
    ["credentials", "https://:pass@example.com/"],
    ["https_required", "http://example.com/"],
    ["https_required", "http://8.8.8.8/"],
    ["port", "https://example.com:22/"],
    ["port", "https://example.com:25/"],
    ["port", "https://example.com:0/"],
  ])("a target is refused with %s: %s", (reason, url) => {
    expect(verdict(url)).toBe(reason);
  });

  it("a refused target has a code, a reason and a message", () => {
    expect(checkTarget("http://example.com/", STRICT)).toEqual({
      kind: "refused",
      code: "callback_refused",
      reason: "https_required",
      message: "must start with https:// because it leaves this machine",
    });
  });
});

describe("targets of a local server", () => {
  it.each([
    "http://localhost:3000/hook",
    "http://127.0.0.1:81/",
    "http://[::1]:3000/",
    "http://[::ffff:127.0.0.1]/",
  ])("a local server may call %s", (url) => {
    expect(verdict(url, LOCAL)).toBe("ok");
  });

  it.each(["http://10.0.0.1/", "https://0.0.0.0/", "https://169.254.169.254/", "http://localhost.example/"])(
    "a local server may not call %s",
    (url) => {
      expect(verdict(url, LOCAL)).not.toBe("ok");
    },
  );
});

describe("the allow-list", () => {
  const policy = allowing("internal.corp, 10.0.0.0/8 192.168.7.7,fd00::/8");

  it.each([
    "http://internal.corp/hook",
    "http://INTERNAL.corp.:25/hook",
    "http://10.9.8.7:25/",
    "http://[::ffff:10.9.8.7]/",
    "http://192.168.7.7/",
    "http://[fd00::1]/",
  ])("the allow-list allows %s", (url) => {
    expect(verdict(url, policy)).toBe("ok");
  });

  it.each([
    "http://evil.internal.corp/",
    "http://internal.corp.evil.example/",
    "https://192.168.7.8/",
    "https://[fe80::1]/",
  ])("the allow-list does not allow %s", (url) => {
    expect(verdict(url, policy)).not.toBe("ok");
  });

  it("the allow-list allows neither credentials nor another scheme", () => {
    expect(verdict("http://user@internal.corp/", policy)).toBe("credentials");
    expect(verdict("ftp://internal.corp/", policy)).toBe("scheme");
  });

  it.each([
    "10.0.0.0/33",
    "10.0.0/8",
    "010.0.0.1",
    "0x7f000001",
    "2130706433",
    "http://a.example",
    "a.example:80",
    "::1/129",
    "10.0.0.0/8/8",
    "-a",
  ])("an allow-list with the entry %s is refused", (entry) => {
    expect(readAllowList(`good.example,${entry}`)).toEqual({
      kind: "refused",
      code: "bad_allow_list",
      entry,
    });
  });

  it("an empty allow-list allows nothing", () => {
    expect(readAllowList(" , ")).toEqual({ kind: "read", list: ALLOW_NOTHING });
  });
});
