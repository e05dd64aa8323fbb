import { matchesFilter, WallFilterSchema } from '@watchroom/shared/wall'
import { describe, expect, it } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'
import { EVERYTHING } from '#support/wallFilter.ts'

const filter = (input: object) => WallFilterSchema.parse(input)

describe('matchesFilter', () => {
  it('shows every check when nothing is asked for', () => {
    expect(matchesFilter(buildCheck(), EVERYTHING)).toBe(true)
  })

  it('finds text in name, description, group and endpoint, in any case', () => {
    const check = buildCheck({
      name: 'Customs link',
      description: 'Talks to customs',
      canary_name: 'harbour',
      endpoint: 'https://customs.example/ping',
    })
    for (const query of ['customs LINK', 'talks', 'HARBOUR', 'example/ping', ' link ']) {
      expect([query, matchesFilter(check, filter({ query }))]).toEqual([query, true])
    }
    expect(matchesFilter(check, filter({ query: 'parcels' }))).toBe(false)
  })

  it('compares the namespace of the check, else that of its canary; empty means none', () => {
    const own = buildCheck({ namespace: 'prod', canary_namespace: 'default' })
    const inherited = buildCheck({ namespace: null, canary_namespace: 'default' })
    const none = buildCheck({ namespace: null, canary_namespace: '' })
    const shown = (namespace: string) =>
      [own, inherited, none].map((check) => matchesFilter(check, filter({ namespace })))
    expect(shown('prod')).toEqual([true, false, false])
    expect(shown('default')).toEqual([false, true, false])
    expect(shown('')).toEqual([false, false, true])
  })

  it('needs any of the included labels and none of the excluded', () => {
    const check = buildCheck({ labels: { team: 'payments', tier: '1' } })
    const shown = (labels: object) => matchesFilter(check, filter({ labels }))
    expect(shown({ 'canary:team:payments': 1 })).toBe(true)
    expect(shown({ 'canary:team:search': 1 })).toBe(false)
    expect(shown({ 'canary:team:search': 1, 'canary:tier:1': 1 })).toBe(true)
    expect(shown({ 'canary:team:payments': 1, 'canary:tier:1': -1 })).toBe(false)
    expect(shown({ 'canary:team:search': -1 })).toBe(true)
  })

  it('shows nothing for an included label that nothing carries: a mistyped filter must not open the board', () => {
    expect(matchesFilter(buildCheck({ labels: {} }), filter({ labels: { 'canary:taem:payments': 1 } }))).toBe(false)
  })

  it('refuses other states of a label, and more labels than anyone chooses', () => {
    expect(WallFilterSchema.safeParse({ labels: { 'canary:a:b': 2 } }).success).toBe(false)
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`canary:a:${index}`, 1]))
    expect(WallFilterSchema.safeParse({ labels: many }).success).toBe(false)
  })
})
