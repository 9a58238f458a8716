/** What answering needs for some asks only; panels for forms and schemas bring it along. */

import type { asksForValue, wantsFile } from "@holdpoint/protocol/rules";
import type * as forms from "../headless/form-state.ts";
import type { initialValue, schemaNode } from "../headless/schema-form.ts";
import type { AnswerInputs } from "./answer-inputs.tsx";
import type { FormView } from "./form-view.tsx";

/** Named one by one, because the page would load all others with a list of them. */
type UsedOfForms =
  | "draftValues"
  | "fillIn"
  | "formData"
  | "goBack"
  | "goOn"
  | "messages"
  | "setValue"
  | "showProblems"
  | "startForm"
  | "touch";

export interface AnswerTools {
  readonly wantsFile?: typeof wantsFile;
  readonly AnswerInputs?: typeof AnswerInputs;
  readonly forms?: Pick<typeof forms, UsedOfForms> & { readonly FormView: typeof FormView };
  readonly schemas?: {
    readonly asksForValue: typeof asksForValue;
    readonly initialValue: typeof initialValue;
    readonly schemaNode: typeof schemaNode;
  };
}
