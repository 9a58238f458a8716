/** A registry on this machine that has our tarballs as if they were published; it sends npm elsewhere for all other packages. */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tarballName } from "./release.ts";
import type { Manifest } from "./stage.ts";

export class Registry implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  /** Of the packages whose tarballs are at these paths, by name. */
  static async start(tarballs: Readonly<Record<string, string>>): Promise<Registry> {
    const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
    const server = createServer((request, reply) => {
      const path = decodeURIComponent(request.url ?? "/").slice(1);
      const tarball = Object.values(tarballs).find((file) => path === `-/${file.split("/").at(-1)}`);
      const file = tarballs[path];
      if (tarball !== undefined) reply.end(readFileSync(tarball));
      else if (file !== undefined)
        reply.end(JSON.stringify(documentOf(file, `http://${request.headers.host}`)));
      else reply.writeHead(302, { location: new URL(request.url?.slice(1) ?? "", upstream).href }).end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return new Registry(server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** What a registry says of a package: its one version, and where that is. */
function documentOf(file: string, url: string): object {
  const text = execFileSync("tar", ["-xzOf", file, "package/package.json"], { encoding: "utf8" });
  const manifest = JSON.parse(text) as Manifest;
  const { name, version } = manifest;
  const integrity = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
  const dist = { tarball: `${url}/-/${tarballName(manifest)}`, integrity };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
