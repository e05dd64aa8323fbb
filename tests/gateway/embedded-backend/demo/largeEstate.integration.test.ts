// The catalog of the profile large, in small: a month of it through the engine, and then the files, which say the same.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ESTATE_TIMES, type EstateWorld, startEstateWorld } from '#support/estateWorld.ts'

import {
  LARGE_ESTATE,
  LARGE_FOLDER,
  toLargePast,
  writeLargeEstate,
} from '../../../../gateway/src/embedded-backend/demo/catalog/largeEstate.ts'
import { runPast } from '../../../../gateway/src/embedded-backend/demo/catalog/runPast.ts'

const COUNT = 2_300
const { until } = ESTATE_TIMES

let world: EstateWorld
beforeAll(async () => {
  const times = { ...ESTATE_TIMES, quietMs: 0 }
  world = await startEstateWorld(LARGE_ESTATE, (deps) => runPast(deps, toLargePast(COUNT), times))
})
afterAll(() => world?.stop())

const count = (what: string): Promise<number> => world.count(what)

describe('the catalog of the profile large', () => {
  it('goes through the engine: items on five levels, what was told of deployments, and their releases', async () => {
    expect(await count('config_items where deleted_at is null')).toBe(COUNT)
    expect(await count(`config_items where array_length(string_to_array(path, '.'), 1) = 5`)).toBe(79)
    expect(await count(`config_changes where change_type <> 'diff'`)).toBe(2_000 * 10)
    const releases = await count(`config_changes where change_type = 'diff'`)
    expect(releases).toBeGreaterThan(2_000)
    expect(releases).toBeLessThanOrEqual(2 * 2_000)
    expect(await count(`config_changes where created_at > to_timestamp(${until / 1_000})`)).toBe(0)
  })

  it('goes on from its files as if nothing had happened', async () => {
    await writeLargeEstate(world.sources, until, COUNT)
    expect(readdirSync(join(world.sources, LARGE_FOLDER))).toHaveLength(201)
    const changes = await count('config_changes')
    const { errors } = await world.scrape()
    expect(errors).toEqual([])
    expect(await count('config_changes')).toBe(changes)
    expect(await count('config_items where deleted_at is null')).toBe(COUNT)
  })
})
