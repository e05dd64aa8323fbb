/** `anchor[||][+-]1d…/d`: an optional chain of steps and roundings after `now` or a timestamp. */
const ANCHOR = /^(now|.+?\|\||\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?)/
const STEP = /([+-])(\d+)([yMwdhHms])|\/([yMwdhHms])/y

/**
 * Reads date math as filters write it: `now-2d`, `now/d`, `2026-01-01||+1M/d`, or a plain timestamp. UTC.
 *
 * @returns null when it cannot be read
 */
export function tryParseDateMath(text: string, now: number): Date | null {
  const anchor = ANCHOR.exec(text)?.[0]
  if (anchor === undefined) return null
  const start = anchor === 'now' ? now : parseAnchor(anchor.replace(/\|\|$/, ''))
  if (Number.isNaN(start)) return null
  const date = new Date(start)
  let end = anchor.length
  STEP.lastIndex = end
  for (let step = STEP.exec(text); step; step = STEP.exec(text)) {
    end = STEP.lastIndex
    if (step[4]) roundDown(date, step[4])
    else move(date, (step[1] === '-' ? -1 : 1) * Number(step[2]), step[3] ?? '')
  }
  return end === text.length && !Number.isNaN(date.getTime()) ? date : null
}

function parseAnchor(text: string): number {
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(text) && text.includes(':')
  return Date.parse(hasZone || !text.includes(':') ? text : `${text.replace(' ', 'T')}Z`)
}

function move(date: Date, amount: number, unit: string): void {
  switch (unit) {
    case 'y':
      date.setUTCFullYear(date.getUTCFullYear() + amount)
      break
    case 'M':
      date.setUTCMonth(date.getUTCMonth() + amount)
      break
    default:
      date.setTime(date.getTime() + amount * (MILLISECONDS[unit] ?? Number.NaN))
  }
}

const MILLISECONDS: Readonly<Record<string, number>> = {
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  H: 3_600_000,
  m: 60_000,
  s: 1_000,
}

function roundDown(date: Date, unit: string): void {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  switch (unit) {
    case 'y':
      date.setTime(Date.UTC(year, 0))
      break
    case 'M':
      date.setTime(Date.UTC(year, month))
      break
    case 'w':
      // Weeks begin on Monday.
      date.setTime(Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7)))
      break
    default: {
      const size = MILLISECONDS[unit] ?? Number.NaN
      date.setTime(Math.floor(date.getTime() / size) * size)
    }
  }
}
