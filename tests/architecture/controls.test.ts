import { RESOURCES } from '@watchroom/shared/access'
import { describe, expect, it } from 'vitest'

import { ELSEWHERE, WRITE_CONTROLS } from '#support/web/controls.ts'

import { WRITERS } from './guards.ts'
import { readSources } from './sources.ts'

// tests/web/app/controls.test.tsx tries for each role the controls that are listed. Nothing that asks for a right may be missing there.

const LISTED = RESOURCES.flatMap((resource) => {
  const controls = WRITE_CONTROLS[resource]
  return 'none' in controls ? [] : controls.map(({ asks }) => ({ asks, resource }))
})
const exempt = Object.keys(ELSEWHERE)

describe('the list of controls', () => {
  it('has one of every file that asks for a right to write, at the resource that it asks for', () => {
    const missing = WRITERS.filter(
      ({ path, resource }) =>
        !exempt.includes(path) &&
        !LISTED.some((one) => one.asks === path && (resource === null || one.resource === resource)),
    )
    expect(missing).toEqual([])
  })

  it('names only files that ask for a right', () => {
    const asking = new Set(
      readSources('web/src')
        .filter(({ text }) => /\bcan\(\s*'write'|\bmayUseRoute\(/.test(text))
        .map(({ path }) => path.replace('web/src/', '')),
    )
    const named = new Set([...LISTED.map(({ asks }) => asks), ...exempt])
    expect([...named].filter((path) => !asking.has(path))).toEqual([])
  })

  it('excuses no file that it has', () => {
    expect(exempt.filter((path) => LISTED.some(({ asks }) => asks === path))).toEqual([])
  })
})
