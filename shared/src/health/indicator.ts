/** Color of a health indicator. */
export type Indicator = 'red' | 'grey' | 'orange' | 'green'

const INDICATORS: ReadonlyMap<string, Indicator> = new Map([
  ['degraded', 'red'],
  ['missing', 'red'],
  ['unhealthy', 'red'],
  ['bad', 'red'],
  ['unknown', 'grey'],
  ['suspended', 'grey'],
  ['warning', 'orange'],
  ['warn', 'orange'],
  ['mixed', 'orange'],
])

/** The color for a word of health, of a check, a group or a component (first specification, section 4). */
export function toIndicator(status: string): Indicator {
  return INDICATORS.get(status.toLowerCase()) ?? 'green'
}
