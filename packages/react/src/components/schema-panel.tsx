/** The answer to an ask with a JSON Schema, with all that only schemas need. */

import { asksForValue, wantsFile } from "@holdpoint/protocol/rules";
import type { ReactNode } from "react";
import { initialValue, schemaNode } from "../headless/schema-form.ts";
import { Panel, type PanelProps } from "./answer-panel.tsx";
import { SchemaInputs } from "./schema-inputs.tsx";

const TOOLS = {
  schemas: { asksForValue, initialValue, schemaNode },
  AnswerInputs: SchemaInputs,
  wantsFile,
};

export function SchemaPanel(props: PanelProps): ReactNode {
  return <Panel {...props} tools={TOOLS} />;
}
