import { ConfigSchema } from '@watchroom/shared/catalog'
import { describe, expect, it } from 'vitest'

import {
  beginNews,
  countNew,
  followNews,
  newestOf,
  patchRows,
  toMatcher,
} from '../../../../web/src/features/catalog-list/liveConfigs.ts'
import { CatalogSearchSchema } from '../../../../web/src/features/catalog-list/search.ts'

const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`
const itemOf = (id: string, more: object = {}) =>
  ConfigSchema.parse({ id, name: id, type: 'File', created_at: at(1), updated_at: at(1), ...more })
const byId = (...items: ReturnType<typeof itemOf>[]) => new Map(items.map((item) => [item.id, item]))
const searchOf = (address: object) => CatalogSearchSchema.parse(address)

describe('rows of a list that stays live', () => {
  it('are those of the topic where it is not older, and else the identical ones', () => {
    const [a, b, c] = [itemOf('a'), itemOf('b', { updated_at: at(9) }), itemOf('c')]
    const news = itemOf('a', { health: 'unhealthy' })
    const patched = patchRows([a, b, c], byId(news, itemOf('b', { updated_at: at(5) }), itemOf('d')))
    expect(patched).toEqual([news, b, c])
    expect(patched[1]).toBe(b)
    expect(patched[2]).toBe(c)
  })

  it('keep what was said last when enough others have changed for the topic to forget it', () => {
    const has = (id: string): boolean => id !== 'far'
    const gone = itemOf('a', { deleted_at: at(2) })
    const first = beginNews([gone, itemOf('far')], has, null)
    const next = followNews(first, [itemOf('b', { updated_at: at(3) })], has)
    expect([...next.known.keys()]).toEqual(['a', 'b'])
    expect(patchRows([itemOf('a'), itemOf('b')], next.known)[0]).toBe(gone)
    expect([next.through, next.isBehind]).toEqual([Date.parse(at(3)), false])
  })

  it('are behind once more changed at once than the topic tells of, until they are read again', () => {
    const has = (): boolean => true
    const changed = (count: number, minute: number) =>
      Array.from({ length: count }, (_, index) => itemOf(`${minute} ${index}`, { updated_at: at(minute) }))
    const first = beginNews(changed(500, 2), has, null)
    expect([first.isBehind, first.through]).toEqual([false, Date.parse(at(2))])
    expect(followNews(first, [...changed(499, 5), ...changed(1, 2)], has).isBehind).toBe(false)
    const late = followNews(first, [...changed(500, 5), ...changed(100, 1)], has)
    expect([late.isBehind, late.through]).toEqual([true, Date.parse(at(2))])
    expect(followNews(late, changed(500, 5), has).isBehind).toBe(true)
    // A list that was read a while ago, and is looked at now.
    expect(beginNews(changed(500, 5), has, Date.parse(at(4))).isBehind).toBe(true)
    expect(beginNews(changed(499, 5), has, Date.parse(at(4))).isBehind).toBe(false)
  })

  it('are joined by those made since, or in a list that has all, by those that came to match', () => {
    const rows = [itemOf('a')]
    const live = byId(
      itemOf('a'),
      itemOf('old'),
      itemOf('new', { created_at: at(5) }),
      itemOf('other', { type: 'Host' }),
    )
    const now = { rows, knownUntil: newestOf(rows), search: searchOf({ configType: 'File' }), hidesDeleted: true }
    expect(countNew(live.values(), { ...now, isWhole: false })).toBe(1)
    expect(countNew(live.values(), { ...now, isWhole: true })).toBe(2)
  })

  it('match by every filter of the address', () => {
    const item = itemOf('Web-1', {
      health: 'healthy',
      status: 'Running',
      labels: { app: 'web' },
      tags: { region: 'eu' },
    })
    const passes = (address: object, hidesDeleted = true) => toMatcher(searchOf(address), hidesDeleted)(item)
    const wanted = [
      'configType=File',
      'search=eB-',
      'health=healthy:1',
      'status=Failed:-1',
      'labels=app__:__web',
      'tags=region____eu:1',
    ]
    const unwanted = [
      'configType=Host',
      'search=db',
      'health=healthy:-1',
      'status=Failed:1',
      'labels=!app__:__web',
      'labels=x__:__y',
      'tags=region____us:1',
    ]
    const toAddress = (text: string) => Object.fromEntries([text.split(/=(.*)/s).slice(0, 2)])
    expect(wanted.filter((text) => !passes(toAddress(text)))).toEqual([])
    expect(unwanted.filter((text) => passes(toAddress(text)))).toEqual([])
    expect(passes({ labels: '!env__:__prod' })).toBe(true)
    const silent = toMatcher(searchOf({ health: 'unknown:1' }), true)
    expect([silent(itemOf('silent', { health: null })), silent(item)]).toEqual([true, false])
    const gone = itemOf('gone', { deleted_at: at(2) })
    expect([toMatcher(searchOf({}), true)(gone), toMatcher(searchOf({}), false)(gone)]).toEqual([false, true])
  })
})
