export { canHoldKeys } from './keyHost.ts'
export { type Flow, FlowDoneSchema, FlowErrorSchema, type FlowNode, FlowSchema, LogoutFlowSchema } from './flow.ts'
export { type IdentityError, type IdentityErrorId, IdentityErrorSchema } from './identityError.ts'
export { type Session, SESSION_COOKIE, SessionSchema, SignedInSchema } from './session.ts'
export {
  type OwnCredentialReport,
  OwnCredentialSchema,
  PeopleRolesSchema,
  toUser,
  type User,
  WhoAmISchema,
} from './whoAmI.ts'
export { type DemoOffer, DemoOfferSchema } from './demo.ts'
export { NextPlaceSchema, type Organizations, OrganizationsSchema } from './hosted.ts'
