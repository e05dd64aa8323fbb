import { describe, expect, it } from 'vitest'

import { bestMatches, matchText } from '../../../../web/src/app/palette/matchText.ts'

describe('matchText', () => {
  it.each([
    ['Feature Flags', 'feature flags', 0],
    ['Feature Flags', 'Feat', 1],
    ['Feature Flags', 'flag', 2],
    ['Feature Flags', 'fl fe', 2],
    ['print-api.prod', 'api', 2],
    ['Feature Flags', 'ags', null],
    ['Feature Flags', 'feature x', null],
    ['Feature Flags', '-', null],
  ])('of %j for %j is %j', (title, typed, rank) => {
    expect(matchText(title, typed)).toBe(rank)
  })
})

describe('bestMatches', () => {
  it('finds by the note too, behind those that are called so', () => {
    const items = [{ title: 'Ana Ruiz', note: 'editor@test.local' }, { title: 'Editor of texts' }]
    expect(bestMatches(items, 'editor').map(({ title }) => title)).toEqual(['Editor of texts', 'Ana Ruiz'])
    expect(bestMatches(items, 'ana editor').map(({ title }) => title)).toEqual(['Ana Ruiz'])
  })

  it('puts the best first, keeps the order of equals, and everything while nothing is typed', () => {
    const items = ['Event Queue', 'Log Backends', 'Logs', 'Logs of the log'].map((title) => ({ title }))
    expect(bestMatches(items, 'logs').map(({ title }) => title)).toEqual(['Logs', 'Logs of the log'])
    expect(bestMatches(items, 'lo').map(({ title }) => title)).toEqual(['Log Backends', 'Logs', 'Logs of the log'])
    expect(bestMatches(items, ' ')).toEqual(items)
  })
})
