/** The answer to an ask with a form, with all that only forms need. */

import { wantsFile } from "@holdpoint/protocol/rules";
import type { ReactNode } from "react";
import * as forms from "../headless/form-state.ts";
import { Panel, type PanelProps } from "./answer-panel.tsx";
import { FormView } from "./form-view.tsx";

const TOOLS = { forms: { ...forms, FormView }, wantsFile };

export function FormPanel(props: PanelProps): ReactNode {
  return <Panel {...props} tools={TOOLS} />;
}
