import { describe, expect, it } from 'vitest'

import type { LookUp } from '../../../../gateway/src/check-runner/lookApart.ts'
import { askFilter } from '../../../../gateway/src/embedded-backend/notifications/decide.ts'
import { toGroupKey } from '../../../../gateway/src/embedded-backend/notifications/groupKey.ts'
import { nextAttemptMs, toRefusal } from '../../../../gateway/src/embedded-backend/notifications/retry.ts'
import { toPeriod, toSilenced } from '../../../../gateway/src/embedded-backend/notifications/silences.ts'
import { stillHolds, subjectOf, toSubject } from '../../../../gateway/src/embedded-backend/notifications/subject.ts'

const PATIENT = { isFinal: false, retryAfterMs: null }
const NOW = Date.parse('2026-03-10T12:00:00Z')

describe('attempts', () => {
  it('are four, with growing waits that are spread', () => {
    expect([1, 2, 3, 4].map((made) => nextAttemptMs(made, PATIENT, () => 0))).toEqual([15_000, 120_000, 600_000, null])
    expect(nextAttemptMs(1, PATIENT, () => 0.5)).toBe(16_500)
  })

  it('wait as long as the other side asks for, an hour at most', () => {
    expect(nextAttemptMs(1, toRefusal(429, '60', NOW), () => 0)).toBe(60_000)
    expect(nextAttemptMs(1, toRefusal(503, 'Tue, 10 Mar 2026 12:00:40 GMT', NOW), () => 0)).toBe(40_000)
    expect(nextAttemptMs(1, toRefusal(429, '86400', NOW), () => 0)).toBe(3_600_000)
    expect(nextAttemptMs(1, toRefusal(429, 'soon', NOW), () => 0)).toBe(15_000)
  })

  it.each([400, 401, 404, 410, 422])('end with %i', (status) => {
    expect(nextAttemptMs(1, toRefusal(status, null, NOW), () => 0)).toBeNull()
  })

  it.each([408, 429, 500, 502, 503, null])('go on after %s', (status) => {
    expect(nextAttemptMs(1, toRefusal(status, null, NOW), () => 0)).toBe(15_000)
  })
})

describe('toGroupKey', () => {
  const subject = { type: 'http', reason: 'refused', description: 'x', labels: { team: 'pay' }, tags: { zone: 'a' } }

  it('is the same for what has the same in common', () => {
    const key = (by: string[], more = {}) => toGroupKey('check.failed', by, { ...subject, ...more })
    expect(key(['type'])).toBe(key(['type'], { reason: 'other' }))
    expect(key(['labels:team'])).not.toBe(key(['labels:team'], { labels: { team: 'web' } }))
    expect(key(['tags:zone', 'status_reason'])).not.toBe(key(['tags:zone', 'status_reason'], { reason: 'other' }))
    expect(key(['labels:constructor'])).toBe(key(['labels:nothing'])?.replace('nothing', 'constructor'))
  })

  it('is none without a key that is known', () => {
    expect(toGroupKey('check.failed', null, subject)).toBeNull()
    expect(toGroupKey('check.failed', ['owner'], subject)).toBeNull()
  })
})

describe('stillHolds', () => {
  it.each([
    ['check.failed', 'check', 'unhealthy', true],
    ['check.failed', 'check', 'healthy', false],
    ['check.passed', 'check', 'healthy', true],
    ['component.warning', 'component', 'warning', true],
    ['component.warning', 'component', 'healthy', false],
    ['config.unknown', 'config', null, true],
    ['config.created', 'config', 'healthy', true],
    ['playbook.spec.approval.updated', 'playbook', null, true],
  ] as const)('%s of a %s that is %s: %s', (event, kind, health, holds) => {
    expect(stillHolds(event, { kind, health })).toBe(holds)
  })
})

describe('subjectOf', () => {
  it('is the run of an approval, and otherwise what the event names', () => {
    expect(subjectOf({ name: 'playbook.approval.inserted', properties: { id: 'a', run_id: 'r' } })).toEqual({
      kind: 'run',
      id: 'r',
    })
    expect(subjectOf({ name: 'check.failed', properties: { id: 'c' } })).toEqual({ kind: 'check', id: 'c' })
    expect(subjectOf({ name: 'incident.created', properties: { id: 'i' } })).toBeNull()
  })
})

describe('a silence', () => {
  it('is about exactly one resource', () => {
    expect(toSilenced({ check_id: 'a', config_id: null })).toEqual({ ok: true, value: { kind: 'check', id: 'a' } })
    expect(toSilenced({})).toMatchObject({ ok: false, error: expect.stringContaining('at least one of') })
    expect(toSilenced({ check_id: 'a', config_id: 'b' })).toMatchObject({
      ok: false,
      error: expect.stringContaining('only one'),
    })
  })

  it('has a period of moments or date math that does not end before it begins', () => {
    expect(toPeriod({ from: 'now', until: 'now+1h' }, NOW)).toEqual({
      ok: true,
      value: { from: new Date(NOW), until: new Date(NOW + 3_600_000) },
    })
    expect(toPeriod({ from: 'now', until: 'now' }, NOW)).toMatchObject({ ok: true })
    expect(toPeriod({ from: 'now+2h', until: 'now+1h' }, NOW)).toMatchObject({
      ok: false,
      error: '`from` time must be before `until`',
    })
    expect(toPeriod({ from: 'nope', until: 'now' }, NOW)).toMatchObject({
      ok: false,
      error: expect.stringContaining('from:'),
    })
    expect(toPeriod({ from: 'now', until: 'then' }, NOW)).toMatchObject({
      ok: false,
      error: expect.stringContaining('until:'),
    })
  })
})

describe('askFilter', () => {
  const event = { name: 'check.failed', properties: {} }
  const subject = toSubject({ kind: 'check', id: 'c' }, { name: 'api' }, event)
  const answering =
    (problem: object): LookUp =>
    async () => ({ problem: { text: 'No such key: team', isMalformed: false, ...problem } })

  it('is an error of the rule where the filter is wrong, and none where it could not be asked', async () => {
    expect(await askFilter('check.team', subject, answering({}))).toMatchObject({ ok: false })
    await expect(askFilter('check.team', subject, answering({ isPassing: true }))).rejects.toThrow('No such key')
  })

  it('leaves out what has no such label', async () => {
    for (const filter of ['labels.team == "x"', `check.labels["team"] == 'x'`, `tags['team'] != ''`]) {
      const missing = expect.stringMatching(/^api has no (labels|tags)\.team$/) as string
      expect(await askFilter(filter, subject, answering({}))).toEqual({ ok: true, value: { passes: false, missing } })
    }
    expect(await askFilter('labels.zone == check.team', subject, answering({}))).toMatchObject({ ok: false })
  })
})
