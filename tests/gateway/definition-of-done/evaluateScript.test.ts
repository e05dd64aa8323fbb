import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { evaluateScript, type Subject, type Subjects } from '../../../gateway/src/definition-of-done/evaluateScript.ts'

const NOW = Date.parse('2026-03-01T09:00:00.000Z')
const MINUTE = 60_000

const buildSubject = (overrides: Partial<Subject> = {}): Subject => ({
  id: 'c1',
  name: 'print-queue',
  status: 'healthy',
  type: 'http',
  health: 'healthy',
  severity: '',
  labels: { app: 'labels', team: 'print' },
  since: NOW - 6 * MINUTE,
  ...overrides,
})
const check = (overrides: Partial<Subject> = {}): Subjects => ({ check: buildSubject(overrides) })
const STABLE = `check.status == 'healthy' && check.age > duration('5m')`

describe('verdicts', () => {
  const cases: [string, Subjects, boolean | null][] = [
    [STABLE, check(), true],
    [STABLE, check({ since: NOW - 4 * MINUTE }), false],
    [STABLE, check({ status: 'unhealthy' }), false],
    [`analysis.status == 'resolved'`, { analysis: buildSubject({ status: 'resolved' }) }, true],
    [`component.status == 'healthy'`, { component: buildSubject({ status: 'warning' }) }, false],
    [
      `config.health == 'healthy' || config.status == 'Running'`,
      { config: buildSubject({ health: '', status: 'Running' }) },
      true,
    ],
    [`check.labels['app'] == 'labels' && check.name.startsWith('print')`, check(), true],
    [`check.labels.team in ['print', 'net']`, check(), true],
    [`['healthy', 'warning'].exists(s, s == check.status)`, check(), true],
    [`duration('5m') < check.age`, check(), true],
    [`!(check.status == 'unhealthy')`, check(), true],
    ['true', {}, true],
  ]
  it.each(cases)('%s', (script, subjects, done) => {
    const verdict = evaluateScript(script, subjects, NOW)
    expect(verdict).toMatchObject({ done, error: null })
  })
})

describe('what cannot be told', () => {
  const cases: [string, Subjects, RegExp][] = [
    [`check.status ==`, check(), /Unexpected/],
    [`check.statu == 'healthy'`, check(), /No such key: statu/],
    [`nothing.status == 'healthy'`, check(), /nothing/],
    [`check.status == 5`, check(), /overload/],
    [`check.status`, check(), /true or false/],
    [`check.age`, check(), /true or false/],
    [`config.status == 'Running'`, check(), /nothing is known of the config/],
    [STABLE, check({ since: null }), /since when the check is in this state is not known/],
    [`check.labels['missing'] == 'x'`, check(), /missing/],
    [`check.age > duration('soon')`, check(), /duration|soon/i],
    [`check.name.matches('(a+)+$')`, check(), /not available/],
    [`[1].all(a, [1].all(b, [1].all(c, true)))`, {}, /too many walks/],
    [`[${'1,'.repeat(60)}1].all(a, true)`, {}, /maxListElements/],
    [Array.from({ length: 120 }, () => 'true').join(' && '), {}, /nodes|limit|depth/i],
    ['('.repeat(40) + 'true' + ')'.repeat(40), {}, /depth|limit/i],
    ['', {}, /./],
    [`check.__proto__ == 'x'`, check(), /No such key/],
  ]
  it.each(cases)('%s', (script, subjects, reason) => {
    const verdict = evaluateScript(script, subjects, NOW)
    expect(verdict.done).toBeNull()
    expect(verdict.error).toMatch(reason)
  })

  it('does not matter beside something that is false', () => {
    const verdict = evaluateScript(`config.status == 'Running' && check.status == 'unhealthy'`, check(), NOW)
    expect(verdict).toMatchObject({ done: false, error: null })
    expect(verdict.clauses.map(({ holds }) => holds)).toEqual([null, false])
  })
})

describe('clauses', () => {
  it('are the parts that all have to be true, in the words of the script', () => {
    const { clauses } = evaluateScript(`${STABLE} && (check.type == 'http' && check.name != '')`, check(), NOW)
    expect(clauses.map(({ text, holds }) => [text, holds])).toEqual([
      [`check.status == 'healthy'`, true],
      [`check.age > duration('5m')`, true],
      [`check.type == 'http'`, true],
      [`check.name != ''`, true],
    ])
  })

  it('give the hold ring: since when, and how long it must last', () => {
    const since = NOW - 3 * MINUTE - 12_000
    const verdict = evaluateScript(STABLE, check({ since }), NOW)
    expect(verdict.clauses[1]).toMatchObject({ holds: false, holdsSince: since, holdMs: 5 * MINUTE })
    expect(verdict).toMatchObject({ done: false, holdsSince: since, holdMs: 5 * MINUTE })
  })

  it('show no ring while the state itself is wrong, and none for an age that must stay small', () => {
    expect(evaluateScript(STABLE, check({ status: 'unhealthy' }), NOW)).toMatchObject({
      holdsSince: null,
      holdMs: null,
    })
    expect(evaluateScript(`check.age < duration('1h')`, check(), NOW)).toMatchObject({ done: true, holdMs: null })
  })

  it('let the hold that ends last decide', () => {
    const subjects = { ...check({ since: NOW - MINUTE }), component: buildSubject({ since: NOW - 2 * MINUTE }) }
    const script = `check.age > duration('2m') && component.age >= duration('10m')`
    expect(evaluateScript(script, subjects, NOW)).toMatchObject({ holdsSince: NOW - 2 * MINUTE, holdMs: 10 * MINUTE })
  })
})

describe('time', () => {
  it('[hold] is met exactly when it says, looked at no earlier than then', async () => {
    const clock = new FakeClock(NOW)
    const since = NOW - 1_000
    const script = `check.status == 'healthy' && check.age > duration('1m30s')`
    const verdicts: boolean[] = []
    const look = (): void => {
      const verdict = evaluateScript(script, check({ since }), clock.now())
      verdicts.push(verdict.done === true)
      if (verdict.nextAt !== null) clock.schedule(look, verdict.nextAt - clock.now())
    }
    look()
    await clock.advance(88_999)
    expect(verdicts).toEqual([false])
    await clock.advance(2)
    expect(verdicts).toEqual([false, true])
    expect(clock.pending).toBe(0)
  })

  it('is looked at every second by scripts that use an age in a way of their own', () => {
    const script = `check.age + duration('1m') > duration('10m')`
    expect(evaluateScript(script, check(), NOW)).toMatchObject({ done: false, nextAt: NOW + 1_000 })
    expect(evaluateScript(`check.status == 'healthy'`, check(), NOW).nextAt).toBeNull()
  })
})
