export {
  type CheckHealth,
  CheckHealthSchema,
  type CheckBoardRow,
  CheckBoardRowSchema,
  type CheckSummary,
  type CheckSummaryResponse,
  CheckSummaryResponseSchema,
  CheckSummarySchema,
} from './checkSummary.ts'
export { type CheckFacts, matchesQuery, toCheckFacts, toCheckTitle, toTableLatency } from './checkFacts.ts'
export { formatUptime, isAgeWorthSaying, toWord } from './display.ts'
export {
  type CheckGroup,
  DEFAULT_GROUP_BY,
  type GroupBy,
  groupChecks,
  type GroupMember,
  toLabelKeys,
  tryParseGroupBy,
} from './groupChecks.ts'
export { countHealth, type GroupHealth, type Health, type HealthCounts, toGroupHealth, toHealth } from './health.ts'
export { canRunCheck, CheckRunResultSchema, type CheckRunResult } from './runCheck.ts'
export { compareBy, SORT_COLUMNS, type Sortable, type SortColumn, toUptimeRatio } from './sortChecks.ts'
export { type GroupSummary, summarizeGroup } from './summarizeGroup.ts'
export { type CheckStatus, CheckStatusSchema } from './checkStatus.ts'
export {
  MAX_TRIED_CHECKS,
  type TriedCheck,
  TriedCheckSchema,
  TryChecksRequestSchema,
  type TryChecksResponse,
  TryChecksResponseSchema,
} from './triedCheck.ts'
