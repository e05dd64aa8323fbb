import type { Parameter } from '@watchroom/shared/playbooks'
import { describe, expect, it } from 'vitest'

import {
  findFault,
  initialValues,
  toValues,
} from '../../../../../web/src/features/playbooks/parameters/parameterValues.ts'

describe('what the fields of parameters start with', () => {
  const parameters: Parameter[] = [
    { name: 'who', default: 'world' },
    { name: 'on', type: 'checkbox', default: true },
    { name: 'off', type: 'checkbox', default: null },
    { name: 'yaml', type: 'code', default: { a: [1] } },
    { name: 'json', type: 'code', default: { a: 1 }, properties: { language: 'json' } },
    { name: 'count', default: 3 },
    { name: 'memory', default: 512, properties: { format: 'bytes' } },
    { name: 'heap', default: '1.5', properties: { format: 'bytes' } },
    { name: 'disk', default: '20Gi', properties: { format: 'bytes' } },
  ]

  it('is the default, written in the language of its field', () => {
    expect(initialValues(parameters)).toEqual({
      who: 'world',
      on: 'true',
      off: 'false',
      yaml: 'a:\n  - 1\n',
      json: '{\n  "a": 1\n}',
      count: '3',
      memory: '512Mi',
      heap: '1.5Mi',
      disk: '20Gi',
    })
  })

  it('is the value of the run before, but for secrets and for what is asked no more', () => {
    const before = toValues({ who: 'ada', yaml: '***', gone: 'x' })
    expect(initialValues(parameters.slice(0, 4), before)).toEqual({
      who: 'ada',
      on: 'true',
      off: 'false',
      yaml: 'a:\n  - 1\n',
    })
  })
})

describe('what keeps a value from being used', () => {
  it.each<[Partial<Parameter>, string, string | null]>([
    [{ required: true }, '', 'This field is required'],
    [{}, '', null],
    [{ properties: { regex: '[a-z]+-\\d' } }, 'web-1', null],
    [{ properties: { regex: '[a-z]+-\\d' } }, 'web-12', 'Must match [a-z]+-\\d'],
    [{ properties: { regex: '(?:eu|us)-[a-z]+-\\d{1,2}' } }, 'as-x-1', 'Must match (?:eu|us)-[a-z]+-\\d{1,2}'],
    [
      { properties: { format: 'dns1123' } },
      'Web.example',
      'Must be lower case letters, digits and -, in labels separated by dots',
    ],
    [{ properties: { format: 'millicores' } }, '0.5', 'Must be a number of millicores, for example 500m'],
    // As on the server: of text alone.
    [{ type: 'list', properties: { regex: '[a-z]+', options: [{ label: 'EU', value: 'EU-1' }] } }, 'EU-1', null],
    [{ type: 'code', properties: { regex: '[a-z]+' } }, 'A: 1', null],
    [{ properties: { minLength: 3 } }, 'ab', 'Must have at least 3 characters'],
  ])('of %o, %j: %s', (parameter, value, fault) => {
    expect(findFault({ name: 'p', default: null, ...parameter }, value)).toBe(fault)
  })

  it.each([
    '(a+)+$',
    'a*a*a*a*a*a*b',
    '[ab]{1,200}[ab]{1,200}[ab]{1,200}[ab]{1,200}c',
    `${'a?'.repeat(40)}b`,
    `${'(a|a)'.repeat(40)}b`,
  ])('leaves expressions that could run for ever to the server: %s', (regex) => {
    const startedAt = performance.now()
    expect(findFault({ name: 'p', default: null, properties: { regex } }, 'a'.repeat(200))).toBeNull()
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })
})
