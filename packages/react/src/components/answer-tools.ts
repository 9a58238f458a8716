/** What answering needs for some asks only; panels for forms and schemas bring it along. */

import type { asksForValue, wantsFile } from "@holdpoint/protocol/rules";
import type * as forms from "../headless/form-state.ts";
import type { initialValue, schemaNode } from "../headless/schema-form.ts";
import type { AnswerInputs } from "./answer-inputs.tsx";
import type { FormView } from "./form-view.tsx";

export interface AnswerTools {
  readonly wantsFile?: typeof wantsFile;
  readonly AnswerInputs?: typeof AnswerInputs;
  readonly forms?: typeof forms & { readonly FormView: typeof FormView };
  readonly schemas?: {
    readonly asksForValue: typeof asksForValue;
    readonly initialValue: typeof initialValue;
    readonly schemaNode: typeof schemaNode;
  };
}
