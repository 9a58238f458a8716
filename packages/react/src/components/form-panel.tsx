/** The answer to an ask with a form, with all that only forms need. */

import { wantsFile } from "@holdpoint/protocol/rules";
import type { ReactNode } from "react";
import {
  draftValues,
  fillIn,
  formData,
  goBack,
  goOn,
  messages,
  setValue,
  showProblems,
  startForm,
  touch,
} from "../headless/form-state.ts";
import { Panel, type PanelProps } from "./answer-panel.tsx";
import type { AnswerTools } from "./answer-tools.ts";
import { FormView } from "./form-view.tsx";

const TOOLS: AnswerTools = {
  forms: {
    draftValues,
    fillIn,
    formData,
    goBack,
    goOn,
    messages,
    setValue,
    showProblems,
    startForm,
    touch,
    FormView,
  },
  wantsFile,
};

export function FormPanel(props: PanelProps): ReactNode {
  return <Panel {...props} tools={TOOLS} />;
}
