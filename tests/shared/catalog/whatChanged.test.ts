import { rankSuspects, reasonsOf, type Suspect } from '@watchroom/shared/catalog'
import { describe, expect, it } from 'vitest'

const AT = '2026-11-23T12:00:00Z'
const minutes = (count: number): string => new Date(Date.parse(AT) + count * 60_000).toISOString()

let made = 0
const suspect = (more: Partial<Suspect> = {}): Suspect => ({
  kind: 'change',
  id: `id-${++made}`,
  title: 'image changed',
  subject: 'shop',
  config_id: null,
  at: minutes(-5),
  distance: 0,
  severity: null,
  ...more,
})

const titles = (suspects: readonly Suspect[], limit = 10): string[] =>
  rankSuspects(suspects, AT, limit).map(({ title }) => title)

describe('what may have led to something', () => {
  it('is the likelier the nearer it is in time and in the graph', () => {
    expect(
      titles([
        suspect({ title: 'unrelated, just before', distance: null, at: minutes(-1) }),
        suspect({ title: 'linked, an hour before', at: minutes(-60) }),
        suspect({ title: 'a step away, just before', distance: 1, at: minutes(-1) }),
        suspect({ title: 'linked, just before', at: minutes(-1) }),
        suspect({ title: 'three steps away, hours before', distance: 3, at: minutes(-300) }),
      ]),
    ).toEqual([
      'linked, just before',
      'a step away, just before',
      'linked, an hour before',
      'unrelated, just before',
      'three steps away, hours before',
    ])
  })

  it('is hardly what came later', () => {
    expect(
      titles([suspect({ title: 'later', at: minutes(2) }), suspect({ title: 'before', at: minutes(-20) })]),
    ).toEqual(['before', 'later'])
  })

  it('is the severe one of two in the same place, and the newer one of two that are alike', () => {
    expect(titles([suspect({ title: 'mild' }), suspect({ title: 'severe', severity: 'High' })])).toEqual([
      'severe',
      'mild',
    ])
    const twins = [suspect({ id: 'b', title: 'b' }), suspect({ id: 'a', title: 'a' })]
    expect(titles(twins)).toEqual(['a', 'b'])
    expect(titles(twins.toReversed())).toEqual(['a', 'b'])
  })

  it('is listed once, and no more than are asked for', () => {
    const one = suspect({ title: 'one' })
    expect(titles([one, one, suspect({ title: 'two', at: minutes(-9) })], 1)).toEqual(['one'])
  })

  it('says why it stands where it stands', () => {
    expect(reasonsOf(suspect({ severity: 'critical' }), AT, 'check')).toEqual([
      '5m before',
      'directly linked',
      'severity critical',
    ])
    expect(reasonsOf(suspect({ distance: 1, at: minutes(3) }), AT, 'check')).toEqual(['3m later', '1 step away'])
    expect(reasonsOf(suspect({ distance: 2 }), AT, 'check')[1]).toBe('2 steps away')
    expect(reasonsOf(suspect({ distance: null, severity: 'low' }), AT, 'check')).toEqual(['5m before', 'not related'])
    expect(reasonsOf(suspect({ distance: null, severity: 'low' }), AT, 'instant')).toEqual(['5m before'])
  })
})
