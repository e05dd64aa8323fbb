export { formatByteSize, tryParseByteSize } from './byteSize.ts'
export {
  type AnyCheckSpec,
  CHECK_TYPES,
  checkEndpoint,
  type CheckSpec,
  CheckSpecSchema,
  checkTimeoutMs,
  type CheckType,
  isCheckType,
  isRunnableType,
  type RunnableType,
  type SpecIssue,
  type SpecProblem,
  tryParseCheckSpec,
} from './checkTypes.ts'
export { tryParseContentPattern } from './contentPattern.ts'
export { DNS_QUERY_TYPES } from './dns.ts'
export {
  type CanarySpec,
  CanarySpecSchema,
  type ExpandedCanary,
  type ExpandedCheck,
  expandCanary,
} from './expandCanary.ts'
export {
  DEFAULT_TIMEOUT_MS,
  MAX_TIMEOUT_MS,
  SEVERITIES,
  type Severity,
  SeveritySchema,
  type Template,
  TEMPLATE_KINDS,
  type TemplateKind,
  type ValueReference,
} from './fields.ts'

export { type HostPort, tryParseHostPort } from './hostPort.ts'
export { maskCredentials, toPublicUrl } from './maskCredentials.ts'
export { type CheckSchedule, DEFAULT_INTERVAL_S, tryParseSchedule } from './schedule.ts'
export { SELF_PROBES, type SelfProbeName } from './self.ts'
