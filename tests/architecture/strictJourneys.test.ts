import { readdirSync, readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

const JOURNEYS = new URL('../../e2e/journeys/', import.meta.url)

it('names journeys that there are', () => {
  const list = JSON.parse(readFileSync(new URL('../strictJourneys.json', JOURNEYS), 'utf8')) as {
    sample: string[]
    leftOut: Record<string, string>
  }
  const sources = readdirSync(JOURNEYS).map((name) => readFileSync(new URL(name, JOURNEYS), 'utf8'))
  const titles = [...list.sample, ...Object.keys(list.leftOut)]
  expect(titles.filter((title) => !sources.some((source) => source.includes(`test('${title}', `)))).toEqual([])
})
