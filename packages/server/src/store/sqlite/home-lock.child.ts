/** Takes the lock of the given home folder, drops every reference to it, reports it, and runs until it is killed. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { HomeLock } from "./home-lock.ts";

const holder = { pid: process.pid, since: "2026-01-02T03:04:05Z", url: null };
HomeLock.take(process.argv[2] as string, holder).announce("http://127.0.0.1:4100");
setFlagsFromString("--expose-gc");
runInNewContext("gc")();
process.stdout.write("taken\n");
process.stdin.resume();
