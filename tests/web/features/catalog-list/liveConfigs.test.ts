import { ConfigSchema } from '@watchroom/shared/catalog'
import { describe, expect, it } from 'vitest'

import { countNew, newestOf, patchRows, toMatcher } from '../../../../web/src/features/catalog-list/liveConfigs.ts'
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
    const gone = itemOf('gone', { deleted_at: at(2) })
    expect([toMatcher(searchOf({}), true)(gone), toMatcher(searchOf({}), false)(gone)]).toEqual([false, true])
  })
})
