import type { HypothesisType, IncidentSeverity } from '@watchroom/shared/incidents'

export const HYPOTHESIS_TYPE_WORDS: Record<HypothesisType, string> = {
  root: 'Root',
  factor: 'Factor',
  solution: 'Solution',
}

type Tone = 'good' | 'warning' | 'bad' | 'neutral'

/** Second specification, section 4; info and warning are not in it. */
export const SEVERITY_TONES: Record<IncidentSeverity, Tone> = {
  info: 'neutral',
  warning: 'warning',
  low: 'good',
  medium: 'good',
  high: 'warning',
  blocker: 'bad',
  critical: 'bad',
}
