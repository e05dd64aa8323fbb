import { describe, expect, it } from 'vitest'

import { findProblem, readCoverageRows, readTestTitles } from './coverageTable.ts'
import { readText } from './sources.ts'

/** Sections of the specification that this product answers for; each heading of the page is one of them. */
const SECTIONS = [
  'First specification, section 1: purpose',
  'First specification, section 2: routes',
  'First specification, section 2: sign-in screens',
  'First specification, section 2: shell',
  'First specification, section 2: time range picker',
  'First specification, section 2: health dashboard',
  'First specification, section 2: check detail panel',
  'First specification, section 2: agents page',
  'First specification, section 3: entities',
  'First specification, section 4: states',
  'First specification, section 5: validation',
  'First specification, section 6: roles',
  'First specification, section 7: calls',
  'First specification, section 8: errors',
  'First specification, section 9: constants',
  'Second specification, section 1: incident management',
  'Second specification, section 2: incidents list',
  'Second specification, section 2: create incident',
  'Second specification, section 2: incident detail',
  'Second specification, section 2: hypothesis tree',
  'Second specification, section 2: comment timeline',
  'Second specification, section 2: definition of done and responders',
  'Second specification, section 3: entities',
  'Second specification, section 4: states',
  'Second specification, section 5: validation',
  'Second specification, section 6: roles',
  'Second specification, section 7: calls',
  'Second specification, section 8: errors',
  'Second specification, section 9: constants',
  'Second specification: playbooks',
  'Second specification: logs',
  'Third specification: the settings of checks',
  'Third specification: job history and event queue',
  'Third specification: tables of settings',
  'Third specification: page of a config item',
  'Third specification: changes of the catalog',
  'Third specification: scrapers and their runs',
  'Third specification: calls of the catalog',
  'Third specification: the list of the catalog',
  'Third specification: topology',
  'Third specification: connections',
  'Third specification: notifications',
  'Third specification: people and feature flags',
  'Beyond the specification: palette, search and downloads',
  'Beyond the specification: logs',
  'Beyond the specification: shared editing',
  'Beyond the specification: wallboard',
  'Beyond the specification: health data that can be relied on',
  'Beyond the specification: the record',
  'Beyond the specification: walls',
]

const rows = readCoverageRows(readText('docs/spec-coverage.md'))

describe('docs/spec-coverage.md', () => {
  it('has a row for every section, and no section of its own', () => {
    expect([...new Set(rows.map(({ section }) => section))]).toEqual(SECTIONS)
  })

  it('says of every requirement which test proves it, or that it is not built', () => {
    expect(rows.filter(({ requirement, proofs }) => requirement === '' || proofs.length === 0)).toEqual([])
  })

  it('names tests that exist', () => {
    const problems = rows.flatMap(({ requirement, proofs }) =>
      proofs.flatMap((proof) => {
        const problem = findProblem(proof)
        return problem === null ? [] : [`${requirement}: ${problem}`]
      }),
    )
    expect(problems).toEqual([])
  })

  it('states each requirement once', () => {
    const stated = rows.map(({ section, requirement }) => `${section}: ${requirement}`)
    expect(stated.filter((text, index) => stated.indexOf(text) !== index)).toEqual([])
  })
})

describe('readCoverageRows', () => {
  it('reads requirement and proofs under the heading above', () => {
    const rows = readCoverageRows(
      [
        '# Page',
        '## One',
        '| Requirement | Proof |',
        '| --- | :-: |',
        String.raw`| a \| b | tests/x.test.ts › does › this<br>not built: the rest |`,
        '| nothing | |',
        '| words | somewhere |',
      ].join('\n'),
    )
    expect(rows.map(({ section, requirement, proofs }) => ({ section, requirement, proofs }))).toEqual([
      {
        section: 'One',
        requirement: 'a | b',
        proofs: [{ kind: 'test', file: 'tests/x.test.ts', title: 'does › this' }, { kind: 'missing' }],
      },
      { section: 'One', requirement: 'nothing', proofs: [] },
      { section: 'One', requirement: 'words', proofs: [{ kind: 'unreadable', text: 'somewhere' }] },
    ])
  })
})

describe('readTestTitles', () => {
  it('finds titles however a test is declared, and nothing else', () => {
    const source = [
      `it('is plain', () => { expect(text('not a title')).toBe('either') })`,
      `it("has 'quotes'", async () => {})`,
      `it('has \\'escapes\\'', async () => {})`,
      'it.each([',
      "  ['a', f('b')],",
      "] as const)('takes %s', (a) => {})",
      'it.each<{ read: (text: string) => void }>([])(`takes ${name}`, () => {})',
      "it.runIf(isLinux())('runs sometimes', () => {})",
      "test('walks', async ({ page }) => { submit('form') })",
      "describe('a group', () => { visit('home') })",
    ].join('\n')
    expect([...readTestTitles(source)]).toEqual([
      'is plain',
      "has 'quotes'",
      "has 'escapes'",
      'takes %s',
      'takes ${name}',
      'runs sometimes',
      'walks',
    ])
  })
})

describe('findProblem', () => {
  it('tells a missing file from a missing title', () => {
    const file = 'tests/architecture/specCoverage.test.ts'
    expect(findProblem({ kind: 'test', file, title: 'tells a missing file from a missing title' })).toBeNull()
    expect(findProblem({ kind: 'test', file, title: 'gone' })).toBe(`${file} has no test "gone"`)
    expect(findProblem({ kind: 'test', file: 'tests/gone.test.ts', title: 'x' })).toBe(
      'there is no test file tests/gone.test.ts',
    )
    expect(findProblem({ kind: 'test', file: 'web/src/main.tsx', title: 'x' })).toBe(
      'there is no test file web/src/main.tsx',
    )
    expect(findProblem({ kind: 'missing' })).toBeNull()
    expect(findProblem({ kind: 'unreadable', text: 'soon' })).toBe(
      'is neither "file › test title" nor "not built": soon',
    )
  })
})
