/** LangChain's fake model in place of a real one: it proposes a refund, and then repeats what the tool said. */

import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { fakeModel } from "langchain";

export function mockModel(order: string) {
  const respond = (messages: readonly BaseMessage[]) => {
    const result = messages.findLast((message) => message.type === "tool");
    if (result !== undefined) return new AIMessage(String(result.content));
    const call = { id: `call-${order}`, name: "refund", args: { order, amount: 80 } };
    return new AIMessage({ content: "", tool_calls: [call] });
  };
  return fakeModel().respond(respond).respond(respond);
}
