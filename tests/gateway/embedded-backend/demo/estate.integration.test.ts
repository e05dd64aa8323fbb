// The catalog of the demo: a month of it through the engine, and then the files, which say the same.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ESTATE_TIMES, type EstateWorld, startEstateWorld } from '#support/estateWorld.ts'

import { writeEstate } from '../../../../gateway/src/embedded-backend/demo/catalog/estateFiles.ts'
import { estateItems } from '../../../../gateway/src/embedded-backend/demo/catalog/estateItems.ts'
import { makePast } from '../../../../gateway/src/embedded-backend/demo/catalog/estatePast.ts'
import { ESTATE } from '../../../../gateway/src/embedded-backend/demo/catalog/estateScraper.ts'

const { since, until } = ESTATE_TIMES

let world: EstateWorld
beforeAll(async () => {
  world = await startEstateWorld(ESTATE, (deps) => makePast(deps, ESTATE_TIMES))
})
afterAll(() => world?.stop())

const count = (what: string): Promise<number> => world.count(what)

describe('the catalog of the demo', () => {
  it('has items of many types on four levels, with owners, costs that move, and some that are gone', async () => {
    expect(await count('config_items where deleted_at is null')).toBeGreaterThanOrEqual(100)
    expect(await count('(select distinct type from config_items) types')).toBeGreaterThanOrEqual(14)
    expect(await count(`config_items where array_length(string_to_array(path, '.'), 1) >= 4`)).not.toBe(0)
    expect(await count('config_items where deleted_at is not null')).not.toBe(0)
    expect(await count(`config_items where deleted_at is null and labels ->> 'team' is null`)).toBe(0)
    const dearer = 'abs(sum(cost_total_1d) / (sum(cost_total_30d) / 30) - 1) > 0.1'
    expect(await count(`(select type from config_items group by type having ${dearer}) types`)).toBeGreaterThanOrEqual(
      3,
    )
  })

  it('has a month of changes, of the documents and of other systems, one type of them in hundreds', async () => {
    expect(await count(`config_changes where change_type = 'diff' and created_at < '2026-06-10'`)).not.toBe(0)
    expect(await count(`config_changes where change_type = 'ScalingReplicaSet'`)).toBeGreaterThanOrEqual(500)
    expect(await count(`config_changes where created_at >= '2026-06-13T12:00:00Z'`)).toBeGreaterThanOrEqual(40)
    expect(await count(`config_changes where created_at > '2026-06-15T12:00:00Z'`)).toBe(0)
  })

  it('has insights for more than a page, of every type and severity, and relationships', async () => {
    expect(await count(`config_analysis where status = 'open'`)).toBeGreaterThan(50)
    expect(await count('(select distinct analysis_type from config_analysis) types')).toBe(10)
    expect(await count('(select distinct severity from config_analysis) severities')).toBe(7)
    expect(await count(`config_relationships where relation = 'Uses'`)).toBeGreaterThan(50)
  })

  it('has one machine after the other report, one every 20 s', () => {
    const at = (move: number) => new Map(estateItems(since, until + move * 20_000).map((item) => [item.id, item]))
    const moves = Array.from({ length: 100 }, (_, move) => {
      const before = at(move)
      return [...at(move + 1)].filter(([id, item]) => JSON.stringify(item) !== JSON.stringify(before.get(id)))
    })
    expect(moves.map((changed) => changed.map(([, { type }]) => type))).toEqual(moves.map(() => ['Depot::Machine']))
  })

  it('goes on from its files as if nothing had happened', async () => {
    await writeEstate(world.sources, since, until)
    expect(readdirSync(join(world.sources, 'harbour-parcel')).length).toBeGreaterThanOrEqual(6)
    const changes = await count('config_changes')
    const { errors } = await world.scrape()
    expect(errors).toEqual([])
    expect(await count('config_changes')).toBe(changes)
  })
})
