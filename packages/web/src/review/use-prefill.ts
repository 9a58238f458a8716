/** Fetches what fields start with and no page source may show. Whatever cannot be had is simply not filled in. */

import { isObject, type Json, type JsonObject, member } from "@holdpoint/protocol/rules";
import { useEffect, useRef, useState } from "react";

export function usePrefill(paths: Readonly<Record<string, string>> | undefined): JsonObject | undefined {
  const [found, setFound] = useState<JsonObject>();
  const asked = useRef(false);
  useEffect(() => {
    if (paths === undefined || asked.current) return;
    asked.current = true;
    void Promise.all(Object.entries(paths).map(([key, path]) => read(key, path))).then((values) =>
      setFound(Object.fromEntries(values.flat())),
    );
  }, [paths]);
  return found;
}

async function read(key: string, path: string): Promise<[string, Json][]> {
  try {
    const reply = await fetch(path, { headers: { accept: "application/json" } });
    const body: Json = reply.ok ? await reply.json() : null;
    const value = isObject(body) ? member(body, "value") : undefined;
    return value === undefined ? [] : [[key, value]];
  } catch {
    return [];
  }
}
