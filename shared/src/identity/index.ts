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
export { IDENTITY_ERROR_IDS, type IdentityError, type IdentityErrorId, IdentityErrorSchema } from './identityError.ts'
export { type Session, SessionSchema, type SignedIn, SignedInSchema } from './session.ts'
