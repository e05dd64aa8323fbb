import { SETTINGS_RESOURCES } from '@watchroom/shared/settings'
import { findSpecFault, SPEC_SCHEMAS } from '@watchroom/shared/specs'
import { describe, expect, it } from 'vitest'

const FAMILIES = [
  'kubernetes',
  'azure',
  'kubernetesFile',
  'sql',
  'trivy',
  'aws',
  'file',
  'githubActions',
  'http',
  'azureDevops',
]

describe('a scraper', () => {
  const fault = (spec: object) => findSpecFault('config_scrapers', spec)

  it.each([
    ['kubernetes', ['clusterName']],
    ['sql', ['type', 'id', 'connection', 'query']],
    ['file', ['format', 'icon']],
    ['githubActions', ['owner', 'repository']],
  ])('of the family %s requires %j', (family, fields) => {
    const whole = Object.fromEntries(fields.map((field) => [field, family === 'file' ? 'yaml' : 'x']))
    expect(fault({ [family]: [whole] })).toBeNull()
    for (const field of fields) {
      expect(fault({ [family]: [{ ...whole, [field]: undefined }] })).toBe(
        `${family}.0.${field}: This field is required`,
      )
      expect(fault({ [family]: [{ ...whole, [field]: ' ' }] })).toBe(`${family}.0.${field}: This field is required`)
    }
  })

  it('of the family aws requires a schedule', () => {
    expect(fault({ aws: [{}] })).toBe('schedule: This field is required')
    expect(fault({ aws: [{}], schedule: '@daily' })).toBeNull()
  })

  it.each(FAMILIES)('of the family %s is a list', (family) => {
    expect(fault({ [family]: {} })).toMatch(new RegExp(`^${family}: `))
  })

  it('keeps what is not known, and custom ones', () => {
    expect(fault({ custom: { anything: 1 }, trivy: [{ ours: true }] })).toBeNull()
  })

  const file = { format: 'yaml', icon: 'file' }
  it.each([
    [{ file: [file], foreign: 1 }, 'spec: Unrecognized key: "foreign"'],
    [{ file: [{ ...file, pathes: ['a'] }] }, 'file.0: Unrecognized key: "pathes"'],
    [{ file: [{ ...file, format: 'xml' }] }, 'file.0.format: Must be yaml, json, properties, toml'],
    [{ file: [{ ...file, paths: [] }] }, 'file.0.paths: This field is required'],
    [{ file: [{ ...file, name: '$.[' }] }, 'file.0.name: is not a JSONPath: write $.name, $.list[0], $[*] or $..name'],
    [{ file: [{ ...file, name: '$.name', type: 'App', health: { expr: 'config.up' } }] }, null],
    [{ file: [{ ...file, relationships: [{ relation: 'uses' }] }] }, 'file.0.relationships.0.id: name an id or a name'],
    [
      { file: [{ ...file, relationships: [{ id: '$.db', relation: 'hard' }] }] },
      'file.0.relationships.0.relation: is what parents are related by',
    ],
    [{ schedule: 'soon' }, 'schedule: Must be a cron schedule, @daily and the like, or @every 30m'],
  ])('with the spec %j has the fault %s', (spec, expected) => {
    expect(fault(spec)).toBe(expected)
  })

  it.each([
    [{ changes: [{ name: 'Pod', age: '30d', count: 5 }], types: [{ name: 'Pod', createdAge: '1h' }] }, null],
    [{ staleItemAge: 'keep' }, null],
    [{ staleItemAge: '12h' }, null],
    [{ staleItemAge: 'never' }, 'retention.staleItemAge: Must be keep, or a duration such as 30m, 12h or 7d'],
    [{ changes: [{ age: '30d' }] }, 'retention.changes.0.name: This field is required'],
    [{ changes: [{ name: 'x', count: -1 }] }, 'retention.changes.0.count: Must not be negative'],
    [{ changes: [{ name: 'x', count: 'many' }] }, 'retention.changes.0.count: This field must be a number'],
    [
      { types: [{ name: 'x', deletedAge: 'soon' }] },
      'retention.types.0.deletedAge: Must be a duration such as 30m, 12h or 7d',
    ],
  ])('with the retention %j has the fault %s', (retention, expected) => {
    expect(fault({ retention })).toBe(expected)
  })
})

describe('a topology', () => {
  const fault = (spec: object) => findSpecFault('topologies', spec)
  const deep = (levels: number): object =>
    levels === 1 ? { name: 'x' } : { name: 'x', components: [deep(levels - 1)] }
  const http = { url: 'http://x', id: '$.id', type: 'T' }

  it.each([
    [{ components: [{ name: 'a', colour: 'red' }] }, 'components.0: Unrecognized key: "colour"'],
    [{ componets: [] }, 'spec: Unrecognized key: "componets"'],
    [{ schedule: 'soon' }, 'schedule: Must be a cron schedule, @daily and the like, or @every 10m'],
    [
      { components: [{ name: 'a', components: [{ name: 'b', type: 'T' }, { name: 'b' }, { name: 'b', type: 'T' }] }] },
      'components.0.components.2.name: Another one beside it has this type and name',
    ],
    [
      { components: [{ name: 'a', forEach: {} }] },
      'components.0.forEach: says what each has that is looked up: name a lookup',
    ],
    [{ components: [{ name: 'a', lookup: {} }] }, 'components.0.lookup: Must have one of configs, http, sql, exec'],
    [{ components: [{ name: 'a', checks: [{}] }] }, 'components.0.checks.0: Must have either a selector or inline'],
    [
      { components: [{ name: 'a', checks: [{ inline: { http: [{ name: 'x' }] } }] }] },
      'components.0.checks.0.inline.http.0.url: expected one of url and connection',
    ],
    [{ components: [{ name: 'a', configs: [{}] }] }, 'components.0.configs.0: Must ask for something'],
    [
      { components: [{ name: 'a', selectors: [{ labelSelector: 'a=(' }] }] },
      'components.0.selectors.0.labelSelector: cannot read the selector at: a=(',
    ],
    [
      { components: [{ name: 'a', properties: [{ name: 'p', label: 'P' }] }] },
      'components.0.properties.0: Must have one of text, value, links, check, config, expr',
    ],
    [
      { properties: [{ name: 'p', expr: '1', config: { selector: { name: 'a' }, field: '$.a' } }] },
      'properties.0: Must have only one of check, config, expr',
    ],
    [
      {
        properties: [
          { name: 'docs', links: [{ url: 'http://127.0.0.1/', label: 'docs' }] },
          { name: 'p', text: 'x', value: 1 },
        ],
      },
      null,
    ],
    [{ components: [{ name: 'a', lookup: { http: [http] }, forEach: { text: '$(item.name)' } }] }, null],
    [
      {
        type: 'Product',
        label: 'app=shop',
        components: [{ name: 'a', statusExpr: 'summary.healthy > 0 ? "up" : "down"' }],
      },
      null,
    ],
  ])('with the spec %j has the fault %s', (spec, expected) => {
    expect(fault(spec)).toBe(expected)
  })

  it('has at most ten levels, with its own and with what is looked up', () => {
    const below = (levels: number): string => `components.0${'.components.0'.repeat(levels - 1)}`
    const said = ': Stands below more than 9 others'
    expect(fault({ components: [deep(10)] })).toBeNull()
    expect(fault({ components: [deep(11)] })).toBe(below(11) + said)
    expect(fault({ type: 'Product', components: [deep(10)] })).toBe(below(10) + said)
    const looked = { name: 'x', lookup: { http: [http] }, forEach: { components: [deep(9)] } }
    expect(fault({ components: [looked] })).toBe(`components.0.forEach.${below(9)}${said}`)
    expect(fault({ components: [deep(20_000)] })).toBe('spec: is nested too deeply')
  })
})

describe('other specs', () => {
  it.each([
    ['incident_rules', {}, 'components: This field is required'],
    ['incident_rules', { components: [] }, 'components: This field is required'],
    ['incident_rules', { components: [{ name: 'shop' }], filter: { status: ['unhealthy'] } }, null],
    [
      'topologies',
      { components: [{ name: 'shop', components: [{}] }] },
      'components.0.components.0.name: This field is required',
    ],
    ['topologies', { components: [{ name: 'shop', components: [{ name: 'cart' }] }] }, null],
    ['teams', { components: [{ labelSelector: 'team=web' }] }, null],
    ['logging_backends', { backends: [{ elasticsearch: { address: 'https://es', index: 'a', query: '{}' } }] }, null],
    ['logging_backends', { backends: [{ kubernetes: { kubeconfig: {} } }] }, null],
    ['logging_backends', { backends: [{}] }, 'backends.0: name one place that holds logs'],
    ['logging_backends', { backends: [{ file: {} }] }, 'backends.0.file.path: This field is required'],
    ['canaries', { anything: 1 }, null],
  ])('of %s: %j has the fault %s', (table, spec, expected) => {
    expect(findSpecFault(table, spec)).toBe(expected)
  })

  it('belong to tables of settings', () => {
    expect([...SPEC_SCHEMAS.keys()].filter((table) => !Object.hasOwn(SETTINGS_RESOURCES, table))).toEqual([])
  })
})
