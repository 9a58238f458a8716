/** Checks answers in the browser; the engine for JSON Schema is loaded only where an ask has one. */

import type { Judge } from "@holdpoint/protocol/rules";
import { browserJudge } from "@holdpoint/react/headless";
import { useEffect, useState } from "react";

const WITHOUT_SCHEMAS = browserJudge();

export function useJudge(needsSchemas: boolean): Judge {
  const [judge, setJudge] = useState<Judge>(WITHOUT_SCHEMAS);
  useEffect(() => {
    if (!needsSchemas) return;
    void import("@holdpoint/react/schema-judge").then(({ schemaTest }) => setJudge(browserJudge(schemaTest)));
  }, [needsSchemas]);
  return judge;
}
