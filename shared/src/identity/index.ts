export {
  type Flow,
  FlowDoneSchema,
  FlowErrorSchema,
  type FlowMessage,
  FlowMessageSchema,
  type FlowNode,
  FlowNodeSchema,
  FlowSchema,
  InputAttributesSchema,
  LogoutFlowSchema,
} from './flow.ts'
