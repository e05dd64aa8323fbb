export { boundLabels, MAX_LABELS } from './boundLabels.ts'
export { MAX_DETAILS_LENGTH, MAX_RESULT_TEXT_LENGTH, toBoundedText, toStoredDuration } from './boundResult.ts'
export {
  type CheckBoardRow,
  CheckBoardRowSchema,
  type CheckSummary,
  CheckSummaryResponseSchema,
  CheckSummarySchema,
  WAITING_STATUS,
  WAITING_TEXT,
} from './checkSummary.ts'
export {
  type CheckFacts,
  matchesQuery,
  toCheckFacts,
  toCheckTitle,
  toSearchText,
  toTableLatency,
} from './checkFacts.ts'
export { formatPercent, formatUptime, isAgeWorthSaying, toBarFill } from './display.ts'
export { DEFAULT_GROUP_BY, type GroupBy, groupChecks, toLabelKeys, tryParseGroupBy } from './groupChecks.ts'
export { countHealth, type GroupHealth, type Health, type HealthCounts, toGroupHealth, toHealth } from './health.ts'
export { toHealthWord } from './healthWord.ts'
export { type Indicator, toIndicator } from './indicator.ts'
export {
  type LabelChoice,
  type LabelFilter,
  type LabelGroup,
  matchesLabels,
  NO_LABEL_FILTER,
  toKnownFilter,
  toLabelGroups,
  toLabelId,
  toLabelText,
} from './labelFilter.ts'
export type { CheckGroup, CheckNode } from './nestByPath.ts'
export {
  MAX_PIVOT_COLUMNS,
  type Pivot,
  PIVOT_CELL_TYPES,
  PIVOT_FIELDS,
  type PivotCells,
  type PivotCellType,
  type PivotColumns,
  type PivotField,
  toPivotCells,
  toPivotColumns,
  toPivotValue,
} from './pivot.ts'
export { AboutProgramsSchema, hasPrograms, PROGRAM_REFUSALS, PROGRAM_SAVERS, type ProgramSavers } from './programs.ts'
export {
  DEFAULT_REFRESH_RATE,
  isRateDisabled,
  REFRESH_RATES,
  type RefreshRate,
  toAllowedRate,
  toRefreshMs,
} from './refreshRate.ts'
export { CheckRunResultSchema, type CheckRunResult } from './runCheck.ts'
export { compareBy, SORT_COLUMNS, type Sortable, type SortColumn, toUptimeRatio } from './sortChecks.ts'
export { DEFAULT_TAB_BY, type TabBy, toTabValue, tryParseTabBy } from './tabs.ts'
export { type GroupSummary, summarizeGroup } from './summarizeGroup.ts'
export { type CheckStatus, CheckStatusSchema } from './checkStatus.ts'
export {
  MAX_TRIED_CHECKS,
  type TriedCheck,
  TryChecksRequestSchema,
  type TryChecksResponse,
  TryChecksResponseSchema,
} from './triedCheck.ts'
