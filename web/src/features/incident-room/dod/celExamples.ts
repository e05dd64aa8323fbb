import type { EvidenceType } from '@watchroom/shared/incidents'

/** Expressions that are offered for a type of evidence; whoever needs another one writes it. */
export const CEL_EXAMPLES: Partial<Record<EvidenceType, readonly string[]>> = {
  check: [`check.status == 'healthy' && check.age > duration('5m')`],
  config_analysis: [`analysis.status == 'resolved'`],
  topology: [`component.status == 'healthy'`],
}
