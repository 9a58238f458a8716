import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "holdpoint-agui-config-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(yaml: string, env: Readonly<Record<string, string>> = {}) {
  writeFileSync(join(folder, "holdpoint.yaml"), yaml);
  return readConfig(env, folder).agUi;
}

const proxy = (settings: string) => `agui: { proxies: { payer: ${settings} } }`;
const URL = 'url: "http://10.0.0.1/run"';

describe("AG-UI proxy settings", () => {
  it("there are no AG-UI proxies unless the operator configures them", () => {
    expect(read("")).toEqual({ leaseMs: null, proxies: {} });
    expect(read("agui: {}")).toEqual({ leaseMs: null, proxies: {} });
  });

  it("an AG-UI proxy has safe defaults", () => {
    expect(read(proxy(`{ ${URL} }`)).proxies["payer"]).toEqual({
      url: "http://10.0.0.1/run",
      headers: {},
      autoResume: false,
      idempotent: false,
      ladder: [],
      links: "server",
      legacyEvents: false,
      timeoutMs: null,
    });
  });

  it("all AG-UI proxy settings are read, and header values come only from the environment", () => {
    const settings = [
      `{ ${URL}, headers: { Authorization: PAYER_AUTHORIZATION }, auto_resume: true, idempotent: true,`,
      "ladder: [{ after: 0s, channel: mail, to: lead@example.com }], links: agent, legacy_events: true, timeout: 5m }",
    ].join(" ");
    const env = { PAYER_AUTHORIZATION: "Bearer s3cret" };
    expect(read(`agui: { lease: 10s, proxies: { payer: ${settings} } }`, env)).toEqual({
      leaseMs: 10_000,
      proxies: {
        payer: {
          url: "http://10.0.0.1/run",
          headers: { authorization: "Bearer s3cret" },
          autoResume: true,
          idempotent: true,
          ladder: [{ after: "0s", channel: "mail", to: "lead@example.com" }],
          links: "agent",
          legacyEvents: true,
          timeoutMs: 300_000,
        },
      },
    });
  });

  it.each([
    ["no URL", proxy("{}"), "agui.proxies.payer.url"],
    ["another scheme", proxy('{ url: "file:///etc/passwd" }'), "agui.proxies.payer.url"],
    ["a relative URL", proxy('{ url: "/run" }'), "agui.proxies.payer.url"],
    ["a password in the URL", proxy('{ url: "http://a:b@c/" }'), "use headers"],
    ["an unknown setting", proxy(`{ ${URL}, retries: 3 }`), "retries"],
    ["text instead of a boolean", proxy(`{ ${URL}, auto_resume: maybe }`), "auto_resume"],
    ["an invalid duration", proxy(`{ ${URL}, timeout: soon }`), "timeout"],
    ["an invalid lease", "agui: { lease: 5 }", "agui.lease"],
    ["a rung without a channel", proxy(`{ ${URL}, ladder: [{ after: 1h }] }`), "ladder.0.channel"],
    ["an unknown value for links", proxy(`{ ${URL}, links: all }`), "links"],
    [
      "a variable that is not set",
      proxy(`{ ${URL}, headers: { x-key: NOBODY_SET_THIS } }`),
      "NOBODY_SET_THIS is not set",
    ],
    [
      "a header that frames the request",
      proxy(`{ ${URL}, headers: { Content-Length: LINES } }`),
      "headers.Content-Length",
    ],
    [
      "a header of two lines",
      proxy(`{ ${URL}, headers: { x-key: LINES } }`),
      "LINES contains characters that a header cannot have",
    ],
    ["a name that is not a path segment", `agui: { proxies: { "a/b": { ${URL} } } }`, "a/b"],
    ["a list of proxies", `agui: { proxies: [{ ${URL} }] }`, "agui.proxies"],
  ])("an AG-UI proxy with %s is refused with the name of the setting", (_what, yaml, words) => {
    expect(() => read(yaml, { LINES: "a\r\nx-admin: yes" })).toThrow(words);
  });

  it("the error about a wrong AG-UI header does not repeat its value (G9)", () => {
    const env = { LINES: "s3cret\n" };
    expect(() => read(proxy(`{ ${URL}, headers: { x-key: LINES } }`), env)).toThrow(/^(?!.*s3cret)/s);
  });
});
