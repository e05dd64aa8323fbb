export { CHANGED_BUCKETS, isStale, toChangedBucket } from './age.ts'
export { ANALYSIS_TYPES, type AnalysisType, INSIGHT_STATUSES, toAnalysisType } from './analysisType.ts'
export {
  CHANGE_FILTERS,
  type ChangeFilter,
  type ChangeFilterTexts,
  type ChangeWordColumn,
  matchesChange,
  parseChangeFilter,
} from './changeFilter.ts'
export { fromTypeKey, toConfigClass, toLabelKey, toTypeKey, toTypeWords, tryParseLabelKey } from './configType.ts'
export {
  costTrend,
  countChanges,
  formatCost,
  formatCount,
  HEALTH_BAR,
  MANY_CHANGES,
  toConfigHealth,
  toHealthBar,
} from './figures.ts'
export { toHealthParams } from './healthParams.ts'
export { matchesWordFilter, parseWordFilter, toWordFilterText, type WordFilter } from './filter.ts'
export {
  type Config,
  CONFIG_DETAIL_SELECT,
  CONFIG_SELECT,
  type ConfigChange,
  type ConfigChangeDetail,
  ConfigChangeDetailSchema,
  type ConfigChanges,
  ConfigChangeSchema,
  ConfigChangesSchema,
  ConfigContentSchema,
  type ConfigCounts,
  type ConfigDetail,
  ConfigDetailSchema,
  type ConfigInsight,
  ConfigInsightSchema,
  ConfigNameSchema,
  type ConfigProperty,
  ConfigSchema,
  type RelatedConfig,
  RelatedConfigSchema,
  type Scraper,
  SCRAPER_SELECT,
  ScraperSchema,
} from './rows.ts'
export {
  MAX_TRIED_ITEMS,
  type TriedItem,
  TryScrapeRequestSchema,
  type TryScrapeResponse,
  TryScrapeResponseSchema,
} from './scrapeTrial.ts'
export { type ConfigSummary, ConfigSummarySchema } from './summaryRow.ts'
export { SEVERITIES, severitiesFrom, type SeverityCount, toSeverityCounts, tryParseSeverity } from './severity.ts'
export {
  type DiffHunk,
  type DiffLine,
  type DiffPair,
  parseUnifiedDiff,
  revertUnifiedDiff,
  toDiffPairs,
} from './unifiedDiff.ts'
export { type ContentVersion, rebuildVersions, versionAt } from './versions.ts'
export {
  type LensStartKind,
  rankSuspects,
  reasonsOf,
  type Suspect,
  type WhatChanged,
  type WhatChangedRequest,
  WhatChangedRequestSchema,
  WhatChangedSchema,
} from './whatChanged.ts'
export { toConfigText } from './configText.ts'
export { toYamlLines } from './toYamlLines.ts'
