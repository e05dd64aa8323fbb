import { type Action, RESOURCES, type Resource } from '@watchroom/shared/access'
import { describe, expect, it } from 'vitest'

import {
  type Control,
  ELSEWHERE,
  PARTS_ELSEWHERE,
  READ_PARTS,
  ROUTE_CONTROLS,
  WRITE_CONTROLS,
} from '#support/web/controls.ts'

import { askersOf } from './guards.ts'
import { readSources } from './sources.ts'

// tests/web/app/controls.test.tsx tries for each role what is listed. Nothing that asks for a right may be missing there.

const controlsOf = (resource: Resource): readonly Control[] => {
  const controls = WRITE_CONTROLS[resource]
  return 'none' in controls ? [] : controls
}
const toListed = (listOf: (resource: Resource) => readonly Control[]) =>
  RESOURCES.flatMap((resource) => listOf(resource).map(({ asks }) => ({ asks, resource })))

interface List {
  readonly action: Action
  readonly listed: readonly { readonly asks: string; readonly resource: Resource }[]
  readonly exempt: readonly string[]
  readonly asks: RegExp
}
/** Whether a call may be made: by the rule of its route, or by a word of `shared/access` for one. */
const ASKS_FOR_CALL = /\bmay(?:UseRoute|RunChecks)\(/
const LISTS: readonly List[] = [
  {
    action: 'write',
    listed: toListed(controlsOf),
    exempt: Object.keys(ELSEWHERE),
    asks: new RegExp(`\\bcan\\(\\s*'write'|${ASKS_FOR_CALL.source}`),
  },
  {
    action: 'read',
    listed: toListed((resource) => READ_PARTS[resource] ?? []),
    exempt: Object.keys(PARTS_ELSEWHERE),
    asks: /\bcan\(\s*'read'|\bmayRead\(\s*'/,
  },
]

const filesThatAsk = (asks: RegExp): string[] =>
  readSources('web/src')
    .filter(({ text }) => asks.test(text))
    .map(({ path }) => path.replace('web/src/', ''))

describe('the list of what asks whether a call may be made', () => {
  it('has one of every file that asks', () => {
    const known = new Set([
      ...LISTS.flatMap(({ listed, exempt }) => [...listed.map((one) => one.asks), ...exempt]),
      ...ROUTE_CONTROLS.map((one) => one.asks),
    ])
    expect(filesThatAsk(ASKS_FOR_CALL).filter((path) => !known.has(path))).toEqual([])
  })

  it('names only files that ask', () => {
    const asking = new Set(filesThatAsk(ASKS_FOR_CALL))
    expect(ROUTE_CONTROLS.filter(({ asks }) => !asking.has(asks))).toEqual([])
  })
})

describe.each(LISTS)('the list of what asks for the right to $action', ({ action, listed, exempt, asks }) => {
  it('has one of every file that asks, at the resource that it asks for', () => {
    const missing = askersOf(action).filter(
      ({ path, resource }) =>
        !exempt.includes(path) &&
        !listed.some((one) => one.asks === path && (resource === null || one.resource === resource)),
    )
    expect(missing).toEqual([])
  })

  it('names only files that ask for a right', () => {
    const asking = new Set(filesThatAsk(asks))
    const named = new Set([...listed.map((one) => one.asks), ...exempt])
    expect([...named].filter((path) => !asking.has(path))).toEqual([])
  })

  it('excuses no file that it has', () => {
    expect(exempt.filter((path) => listed.some((one) => one.asks === path))).toEqual([])
  })
})
