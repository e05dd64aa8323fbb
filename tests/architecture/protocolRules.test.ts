import { describe, expect, it } from 'vitest'

import { listFiles, readText } from './sources.ts'

const RULE = /\*\*([A-Z]+-\d+)\*\*/gu
const TEST_FILE = /\.(?:test|spec)\.tsx?$/u

describe('the numbered rules of the protocols', () => {
  const tests = [...listFiles('tests', TEST_FILE), ...listFiles('e2e', TEST_FILE)].map(readText).join('\n')

  it.each(listFiles('shared/src', /SPEC\.md$/u))('each have a test that carries their number: %s', (path) => {
    const rules = [...readText(path).matchAll(RULE)].map(([, rule]) => rule)
    expect(rules.length).toBeGreaterThan(10)
    expect(rules.filter((rule) => !tests.includes(`[${rule}]`))).toEqual([])
  })
})
