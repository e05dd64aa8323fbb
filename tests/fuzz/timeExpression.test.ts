// Seeded check of date math: random expressions, texts, moments and zones. Prints the seed of a failure.
//
// WATCHROOM_FUZZ_SEEDS how many seeds, WATCHROOM_FUZZ_START the first one.
import assert from 'node:assert/strict'

import {
  formatTimeExpression,
  fromWallTime,
  resolveTimeExpression,
  TIME_UNITS,
  type TimeAnchor,
  type TimeExpression,
  type TimeStep,
  toTimeRange,
  toWallTime,
  toZoneName,
  tryParseTimeExpression,
  tryParseTimeRangeText,
} from '@watchroom/shared/time'
import { expect, it } from 'vitest'

import { howMany } from '../support/howMany.ts'
import { createRandom } from '../support/random.ts'

const SEEDS = howMany('WATCHROOM_FUZZ_SEEDS', { short: 2_000, long: 20_000 })
const START = Number(process.env.WATCHROOM_FUZZ_START ?? 1)

/** Half-hour and quarter-hour offsets, both hemispheres, a zone that skipped a day, one whose clocks change at midnight. */
const ZONES = [
  'UTC',
  'local',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Apia',
]
const [FIRST, LAST] = [Date.parse('1990-01-01T00:00:00Z'), Date.parse('2040-01-01T00:00:00Z')]
const HOUR = 3_600_000

class Choices {
  readonly #random: () => number
  constructor(seed: number) {
    this.#random = createRandom(seed)
  }
  below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }
  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }
  moment(): number {
    return FIRST + Math.floor(this.#random() * (LAST - FIRST))
  }
}

function buildAnchor(choices: Choices): TimeAnchor {
  const kind = choices.of(['now', 'now', 'moment', 'wall'] as const)
  if (kind === 'now') return { kind }
  const at = choices.moment()
  return { kind, at: at - (at % choices.of([1, 1_000, 60_000, 86_400_000])) }
}

function buildStep(choices: Choices): TimeStep {
  const unit = choices.of(TIME_UNITS)
  if (choices.below(3) === 0) return { kind: 'round', unit }
  const size = choices.below(10 ** choices.of([1, 2, 3, 9]))
  return { kind: 'move', amount: size > 0 && choices.below(2) === 0 ? -size : size, unit }
}

const buildExpression = (choices: Choices): TimeExpression => ({
  anchor: buildAnchor(choices),
  steps: Array.from({ length: choices.below(5) }, () => buildStep(choices)),
})

const SCRAPS = ['now', '-', '+', '/', '||', ' ', '1', '99', 'd', 'M', 'ms', '2026-01-31', 'T08:00', 'Z', '–', '{', 'é']

/** A valid text, damaged at up to two places. */
function buildText(choices: Choices): string {
  let text = formatTimeExpression(buildExpression(choices))
  for (let damage = choices.below(3); damage > 0; damage -= 1) {
    const at = choices.below(text.length + 1)
    text = text.slice(0, at) + choices.of(SCRAPS) + text.slice(at + choices.below(3))
  }
  return text
}

/** Runs a property for each seed; the failure names its seed. */
function forEachSeed(property: (choices: Choices) => void): void {
  for (let seed = START; seed < START + SEEDS; seed += 1) {
    try {
      property(new Choices(seed))
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error })
    }
  }
}

it('reads what it writes: equal expression, equal text', () => {
  forEachSeed((choices) => {
    const expression = buildExpression(choices)
    const text = formatTimeExpression(expression)
    const read = tryParseTimeExpression(text)
    expect(read).toEqual({ ok: true, value: expression })
    expect(read.ok && formatTimeExpression(read.value)).toBe(text)
  })
})

it('answers any text with an expression or a position inside it, and never throws', () => {
  let [accepted, refused] = [0, 0]
  forEachSeed((choices) => {
    const text = buildText(choices)
    const read = tryParseTimeExpression(text)
    if (read.ok) {
      accepted += 1
      assert.deepEqual(tryParseTimeExpression(formatTimeExpression(read.value)), read)
    } else {
      refused += 1
      const { position, reason } = read.error
      assert.ok(position >= 0 && position <= text.length, `${text}: ${reason}`)
      assert.ok(reason.endsWith(`(character ${position + 1})`), reason)
    }
    expect(tryParseTimeRangeText(text, { now: choices.moment(), zone: choices.of(ZONES) })).toHaveProperty('ok')
  })
  // A single seed, asked for by number, may be either.
  expect(Math.min(accepted, refused)).toBeGreaterThanOrEqual(Math.floor(SEEDS / 10))
})

it('resolves every expression to a moment with a plain date', () => {
  forEachSeed((choices) => {
    const options = { now: choices.moment(), zone: choices.of(ZONES), roundUp: choices.below(2) === 0 }
    const moment = resolveTimeExpression(buildExpression(choices), options)
    expect(new Date(moment).toISOString()).toMatch(/^\d{4}-/)
  })
})

it('shows the clock that the platform shows', () => {
  const formats = new Map(
    ZONES.map((zone) => [
      zone,
      new Intl.DateTimeFormat('sv-SE', { timeZone: toZoneName(zone), dateStyle: 'short', timeStyle: 'medium' }),
    ]),
  )
  forEachSeed((choices) => {
    const [zone, moment] = [choices.of(ZONES), choices.moment()]
    const wall = new Date(toWallTime(moment, zone)).toISOString()
    expect(wall.slice(0, 19).replace('T', ' ')).toBe(formats.get(zone)?.format(moment))
  })
})

it('finds the moment back from the clock, the first of two', () => {
  forEachSeed((choices) => {
    const [zone, moment] = [choices.of(ZONES), choices.moment()]
    const wall = toWallTime(moment, zone)
    const found = fromWallTime(wall, zone)
    expect(toWallTime(found, zone)).toBe(wall)
    expect(found).toBeLessThanOrEqual(moment)
    // Only when clocks go back are there two, and they never go back by more than an hour in these zones and years.
    expect(moment - found).toBeLessThanOrEqual(HOUR)
  })
})

it('rounds to units that hold the moment and follow each other without a gap', () => {
  forEachSeed((choices) => {
    const [zone, now, unit] = [choices.of(ZONES), choices.moment(), choices.of(TIME_UNITS)]
    const rounded: TimeExpression = { anchor: { kind: 'now' }, steps: [{ kind: 'round', unit }] }
    const start = resolveTimeExpression(rounded, { now, zone })
    const end = resolveTimeExpression(rounded, { now, zone, roundUp: true })
    expect(start).toBeLessThanOrEqual(now)
    expect(end).toBeGreaterThanOrEqual(now)
    expect(resolveTimeExpression(rounded, { now: start, zone })).toBe(start)
    if (unit === 'ms' || unit === 's' || unit === 'm' || unit === 'h') return
    expect(resolveTimeExpression(rounded, { now: end, zone })).toBe(start)
    expect(resolveTimeExpression(rounded, { now: end + 1, zone })).toBe(end + 1)
  })
})

it('makes ranges whose start is before their end', () => {
  forEachSeed((choices) => {
    const options = { now: choices.moment(), zone: choices.of(ZONES) }
    const ends = {
      from: formatTimeExpression(buildExpression(choices)),
      to: formatTimeExpression(buildExpression(choices)),
    }
    const range = toTimeRange(ends, options)
    if (!range.ok || range.value.rangeType !== 'absolute') return
    assert.ok(Date.parse(range.value.from) < Date.parse(range.value.to), JSON.stringify(ends))
  })
})
