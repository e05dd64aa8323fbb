import {
  CONFIG_SELECT,
  ConfigChangeDetailSchema,
  ConfigChangesSchema,
  ConfigContentSchema,
  ConfigDetailSchema,
  ConfigInsightSchema,
  ConfigNameSchema,
  ConfigSchema,
  ConfigSummarySchema,
  RelatedConfigSchema,
} from '@watchroom/shared/catalog'
import { describe, expect, it } from 'vitest'

const ID = '018f0000-0000-7000-8000-000000000001'

describe('rows of the catalog', () => {
  it.each([
    [ConfigSchema, { id: ID, type: 'A::B', cost_total_1d: '1.5000', tags: { zone: 1 }, changes: 'odd', labels: [] }],
    [
      ConfigDetailSchema,
      { id: ID, type: 'A::B', properties: [{ name: 'cpu', value: 4, other: true }], summary: { changes: 2 } },
    ],
    [ConfigSummarySchema, { type: 'A::B', count: 3, cost_30d: null, zone: 'east', analysis: { cost: 1 } }],
    [ConfigChangesSchema, { total: 1, changes: [{ id: ID, config_id: ID, tags: { a: 'b' } }], summary: { diff: 1 } }],
    [ConfigChangeDetailSchema, { id: ID, config_id: ID, diff: '-a', details: { a: 1 }, config: { id: ID } }],
    [ConfigInsightSchema, { id: ID, analyzer: 'a', message: '<b>', config: null }],
    [RelatedConfigSchema, { id: ID, type: 'A', related_ids: [ID], cost_per_minute: 0.25 }],
    [ConfigContentSchema, { id: ID, config: { a: [1] } }],
  ])('read as they read themselves (%#)', (schema, row) => {
    const parsed = schema.parse(row)
    expect(schema.parse(parsed)).toEqual(parsed)
  })

  it('keep what can be read of an odd one', () => {
    const row = ConfigSchema.parse({
      id: ID,
      type: null,
      tags: { zone: 1, name: 'x' },
      cost_total_1d: 'free',
      agent: 'none',
    })
    expect(row).toMatchObject({ id: ID, type: '', tags: { zone: '1', name: 'x' }, cost_total_1d: null, agent: null })
  })

  it('are asked for by the names of their fields', () => {
    const fields = 'id,name,type,config_class,status,health,labels,tags,created_at,updated_at,deleted_at'
    const rest = 'cost_per_minute,cost_total_1d,cost_total_7d,cost_total_30d,changes,analysis,agent:agents(id,name)'
    expect(CONFIG_SELECT).toBe(`${fields},${rest}`)
    expect(Object.keys(ConfigNameSchema.shape)).toEqual(['id', 'name', 'type', 'config_class'])
  })

  it('of changes may be none at all', () => {
    expect(ConfigChangesSchema.parse({})).toEqual({ total: 0, changes: [] })
  })
})
