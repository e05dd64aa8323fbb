import { matchesQuery, toTableLatency } from '@watchroom/shared/health'
import { describe, expect, it } from 'vitest'

import { buildFacts } from '#support/buildCheck.ts'

describe('toCheckFacts', () => {
  it('takes the first text that says something as title', () => {
    expect(buildFacts({ name: 'api', description: 'd', endpoint: 'e' }).title).toBe('api')
    expect(buildFacts({ name: '', description: 'd', endpoint: 'e' }).title).toBe('d')
    expect(buildFacts({ name: '', description: null, endpoint: 'e' }).title).toBe('e')
    expect(buildFacts({ id: 'x', name: '' }).title).toBe('x')
  })

  it('reads times once, as server milliseconds', () => {
    const facts = buildFacts({ last_runtime: '2026-08-30T10:00:00Z', last_transition_time: null })
    expect(facts.lastRunAt).toBe(Date.UTC(2026, 7, 30, 10))
    expect(facts.transitionAt).toBeNull()
  })
})

describe('toTableLatency', () => {
  it.each([
    [{ p95: 5, p97: 7, p99: 9 }, 5],
    [{ p97: 7, p99: 9 }, 7],
    [{ p95: 0, p97: null, p99: 9 }, 9],
    [{ rolling1h: 3 }, null],
  ])('of %j is %s', (latency, shown) => {
    expect(toTableLatency(latency)).toBe(shown)
  })
})

describe('matchesQuery', () => {
  const facts = buildFacts({
    name: 'Checkout API',
    description: 'Pays the bill',
    canary_name: 'shop',
    endpoint: 'https://pay.example/health',
    labels: { team: 'billing' },
  })

  it.each(['checkout', 'PAYS', 'shop', 'pay.example', '  api  ', ''])(
    'finds %j in name, description, canary or endpoint',
    (query) => {
      expect(matchesQuery(facts, query)).toBe(true)
    },
  )

  it.each(['billing', 'api pays', '.*'])('does not find %j', (query) => {
    expect(matchesQuery(facts, query)).toBe(false)
  })

  it('finds a check without any text by the id that stands for its title', () => {
    expect(matchesQuery(buildFacts({ id: 'x-1', name: '', description: null }), 'x-1')).toBe(true)
    expect(matchesQuery(buildFacts({ id: 'x-1', name: 'api' }), 'x-1')).toBe(false)
  })
})
