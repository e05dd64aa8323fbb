export {
  type AnyCheckSpec,
  CHECK_TYPES,
  checkEndpoint,
  type CheckSpec,
  CheckSpecSchema,
  type CheckType,
  isCheckType,
  isRunnableType,
  type RunnableType,
  type SpecProblem,
  tryParseCheckSpec,
} from './checkTypes.ts'
export { tryParseContentPattern } from './contentPattern.ts'
export { DNS_QUERY_TYPES } from './dns.ts'
export { type CanarySpec, CanarySpecSchema, type ExpandedCheck, expandCanary } from './expandCanary.ts'
export { findExcess } from './findExcess.ts'
export {
  type SecretKind,
  SEVERITIES,
  type Template,
  TEMPLATE_KINDS,
  type TemplateKind,
  type ValueReference,
} from './fields.ts'

export { type HostPort, tryParseHostPort } from './hostPort.ts'
export { maskCredentials, toPublicUrl } from './maskCredentials.ts'
export { nextRun } from './nextRun.ts'
export { PLAIN_HEADERS } from './plainHeaders.ts'
export { type CheckSchedule, DEFAULT_INTERVAL_S, tryParseSchedule } from './schedule.ts'
export { CHECK_SECRETS } from './secretFields.ts'
export { SELF_PROBES, type SelfProbeName } from './self.ts'
