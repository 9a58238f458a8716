import { describe, expect, it } from "vitest";
import { isTerminalError } from "../../client/index.ts";
import { resolveSettings, type Surroundings } from "./settings.ts";

const FILE = {
  url: "http://127.0.0.1:4100",
  apiKey: "hp_file",
  path: "/app/.holdpoint/credentials.json",
  isNamed: false,
};
/** As a repository may bring it along. */
const REMOTE = { ...FILE, url: "https://evil.example" };

function around(more: Partial<Surroundings> = {}): Surroundings {
  return { env: {}, credentials: async () => null, origin: undefined, ...more };
}

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isTerminalError(error)) throw new Error("it was not refused");
  return `${error.code}: ${error.message}`;
}

describe("resolveSettings", () => {
  it("prefers options to the environment, and the environment to the file", async () => {
    const env = { HOLDPOINT_URL: "https://env.example", HOLDPOINT_API_KEY: "hp_env" };
    const credentials = async () => FILE;
    const given = { url: "https://given.example", apiKey: "hp_given" };
    expect(await resolveSettings(given, around({ env, credentials }))).toMatchObject(given);
    expect(await resolveSettings({}, around({ env, credentials }))).toMatchObject({
      url: "https://env.example",
      apiKey: "hp_env",
    });
    expect(await resolveSettings({}, around({ credentials }))).toMatchObject({
      url: FILE.url,
      apiKey: "hp_file",
    });
  });

  it("does not look for a file when nothing is missing", async () => {
    const credentials = () => Promise.reject(new Error("it looked"));
    await resolveSettings({ url: "https://a.example", apiKey: "k" }, around({ credentials }));
  });

  it("never sends the file's key to another server (G9)", async () => {
    const credentials = async () => FILE;
    expect(
      await refusal(resolveSettings({ url: "https://other.example" }, around({ credentials }))),
    ).toContain("HOLDPOINT_API_KEY");
    const same = await resolveSettings({ url: "http://127.0.0.1:4100/" }, around({ credentials }));
    expect(same.apiKey).toBe("hp_file");
  });

  it.each([
    [{ url: "https://hp.example" }, {}],
    [{}, { HOLDPOINT_URL: "https://hp.example" }],
    [{}, { HOLDPOINT_PUBLIC_URL: "https://hp.example" }],
  ])(
    "takes the key of a found file for the address that the user named by %j or %j",
    async (options, env) => {
      const asked: unknown[] = [];
      const credentials = async (url: string | undefined) => {
        asked.push(url);
        return { ...REMOTE, url: "https://hp.example/" };
      };
      const settings = await resolveSettings(options, around({ env, credentials }));
      expect([new URL(settings.url).host, settings.apiKey, asked]).toEqual([
        "hp.example",
        "hp_file",
        ["https://hp.example"],
      ]);
    },
  );

  it("HOLDPOINT_PUBLIC_URL names the server of a found file, and no other (G9)", async () => {
    const env = { HOLDPOINT_PUBLIC_URL: "https://hp.example" };
    const said = await refusal(resolveSettings({}, around({ env, credentials: async () => REMOTE })));
    expect(said).toContain("https://evil.example");
    await refusal(
      resolveSettings(
        {},
        around({ env: { ...env, HOLDPOINT_API_KEY: "k" }, credentials: async () => REMOTE }),
      ),
    );
  });

  it("treats empty variables as unset", async () => {
    const env = { HOLDPOINT_URL: "", HOLDPOINT_API_KEY: "" };
    expect(await resolveSettings({}, around({ env, credentials: async () => FILE }))).toMatchObject({
      apiKey: "hp_file",
    });
  });

  it("sends no key from a page that signs in by cookie", async () => {
    const settings = await resolveSettings({ apiKey: null }, around({ origin: "https://app.example" }));
    expect(settings).toMatchObject({ url: "https://app.example", apiKey: null });
  });

  it("says what is missing and where to put it", async () => {
    expect(await refusal(resolveSettings({}, around()))).toMatch(/^misconfigured: .*HOLDPOINT_URL/);
    expect(await refusal(resolveSettings({ url: "https://a.example" }, around()))).toMatch(
      /HOLDPOINT_API_KEY/,
    );
    expect(await refusal(resolveSettings({ url: "localhost:4100", apiKey: "k" }, around()))).toMatch(
      /no http address/,
    );
  });

  it.each([
    ["http://localhost:4100", "http://127.0.0.1:4100"],
    ["http://127.0.0.1:4100/", "http://localhost:4100"],
    ["http://[::1]:4100", "http://localhost:4100"],
  ])(
    "HOLDPOINT_URL alone takes the file's key for the same server: %s and %s",
    async (HOLDPOINT_URL, url) => {
      const credentials = async () => ({ ...FILE, url });
      const settings = await resolveSettings({}, around({ env: { HOLDPOINT_URL }, credentials }));
      expect(settings).toMatchObject({ url: HOLDPOINT_URL, apiKey: "hp_file" });
    },
  );

  it("HOLDPOINT_API_KEY alone goes to the local server that the file names (G9)", async () => {
    const env = { HOLDPOINT_API_KEY: "hp_env" };
    expect(await resolveSettings({}, around({ env, credentials: async () => FILE }))).toMatchObject({
      url: FILE.url,
      apiKey: "hp_env",
    });
  });

  it.each([false, true])(
    "HOLDPOINT_API_KEY is never sent to an address elsewhere that a file names; named by HOLDPOINT_HOME: %s (G9)",
    async (isNamed) => {
      const credentials = async () => ({ ...REMOTE, isNamed });
      const env = { HOLDPOINT_API_KEY: "hp_env" };
      const said = await refusal(resolveSettings({}, around({ env, credentials })));
      expect(said).toContain("https://evil.example");
      expect(said).toContain("Set HOLDPOINT_URL");
      await refusal(resolveSettings({ apiKey: "hp_given" }, around({ credentials })));
    },
  );

  it("a file that was only found counts for a server on this machine, and a file that HOLDPOINT_HOME names for any", async () => {
    const said = await refusal(resolveSettings({}, around({ credentials: async () => REMOTE })));
    expect(said).toContain(REMOTE.path);
    expect(said).toContain("HOLDPOINT_HOME");
    const named = { ...REMOTE, isNamed: true };
    expect(await resolveSettings({}, around({ credentials: async () => named }))).toMatchObject({
      url: REMOTE.url,
      apiKey: "hp_file",
    });
  });

  it.each([
    "http://localhost.evil.example",
    "http://127.0.0.1:4100@evil.example",
    "https://127.0.0.1.evil.example",
    "file:///etc",
  ])("%s is no address of this machine", async (url) => {
    await refusal(resolveSettings({}, around({ credentials: async () => ({ ...FILE, url }) })));
  });
});
