/** The answer to an ask of buttons, choices and words. */

import type { ReactNode } from "react";
import { AnswerInputs } from "./answer-inputs.tsx";
import { Panel, type PanelProps } from "./answer-panel.tsx";

const TOOLS = { AnswerInputs };

export function PlainPanel(props: PanelProps): ReactNode {
  return <Panel {...props} tools={TOOLS} />;
}
