/** What insights are about (third specification, section 3). */
export const ANALYSIS_TYPES = [
  'cost',
  'availability',
  'performance',
  'security',
  'integration',
  'compliance',
  'technical_debt',
  'reliability',
  'recommendation',
  'other',
] as const
export type AnalysisType = (typeof ANALYSIS_TYPES)[number]

/** Insights without a type, or of one that nobody foresaw, count as `other`. */
export const toAnalysisType = (word: string | null | undefined): AnalysisType =>
  ANALYSIS_TYPES.find((type) => type === word?.toLowerCase()) ?? 'other'

/** What the states of insights are called. */
export const INSIGHT_STATUSES = ['open', 'resolved', 'silenced'] as const
