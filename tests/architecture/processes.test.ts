import { expect, it } from 'vitest'

import { readSources } from './sources.ts'

const HELPER = 'tests/support/processes.ts'

it('tests signal a process by its number through the helper alone, which knows that 0 means everyone', () => {
  const signalling = [...readSources('tests'), ...readSources('e2e')]
    .filter(({ text }) => /(?<!\.)\bprocess\.kill\(/.test(text))
    .map(({ path }) => path)
  expect(signalling).toEqual([HELPER])
})

it('tests wait for what comes through the helper alone: a wait of one second fails where a machine is busy', () => {
  const waiting = [...readSources('tests'), ...readSources('e2e')]
    .filter(({ text }) => /\bvi\.wait(?:For|Until)\(/.test(text))
    .map(({ path }) => path)
  expect(waiting).toEqual(['tests/support/eventually.ts'])
})
