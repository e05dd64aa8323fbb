const NS_PER_MS = 1e6
const NS_PER_SECOND = 1e9
const NS_PER_MINUTE = 60 * NS_PER_SECOND
const NS_PER_HOUR = 60 * NS_PER_MINUTE

/**
 * A duration as it is written in forms, to the nanosecond: `1h20m`, `10m30s`, `1.5s`, `250ms`. What `tryParseDuration` reads of it is what was
 * given, unlike of the rounded text that people read.
 *
 * @param ms not negative
 */
export function toDurationText(ms: number): string {
  const all = Math.round(ms * NS_PER_MS)
  if (all < NS_PER_SECOND) return `${toDecimal(all / NS_PER_MS, 6)}ms`
  const hours = Math.floor(all / NS_PER_HOUR)
  const minutes = Math.floor((all % NS_PER_HOUR) / NS_PER_MINUTE)
  const rest = all % NS_PER_MINUTE
  return [
    hours === 0 ? '' : `${hours}h`,
    minutes === 0 ? '' : `${minutes}m`,
    rest === 0 ? '' : `${toDecimal(rest / NS_PER_SECOND, 9)}s`,
  ].join('')
}

/** Without an exponent, and without the zeros at its end. */
const toDecimal = (value: number, digits: number): string => value.toFixed(digits).replace(/\.?0+$/, '')
