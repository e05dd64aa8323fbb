import { describe, expect, it } from 'vitest'

import {
  type RecordDefinition,
  recordDefinition,
  type RecordKind,
  RECORDS,
  recordTable,
} from '../../../../web/src/features/records/definitions.ts'
import {
  effectiveOrder,
  RecordSearchSchema,
  type RecordSearch,
  toListAsk,
} from '../../../../web/src/features/records/search.ts'

const definition: RecordDefinition = {
  title: 'Things',
  noun: 'things',
  view: 'things',
  filter: 'deleted_at=is.null',
  order: { by: 'created_at', direction: 'desc' },
  searchColumn: 'name',
  columns: [
    { key: 'name', title: 'Name', kind: 'text', isSortable: true, value: (row) => row['name'] },
    { key: 'tags', title: 'Tags', kind: 'labels', value: (row) => row['tags'] },
  ],
}
const search = RecordSearchSchema.parse({})
const listPath = (list: RecordDefinition, asked: RecordSearch) => recordTable(list).listPath(toListAsk(list, asked))

describe('listPath', () => {
  it('asks for one page in the order of the list', () => {
    expect(listPath(definition, { ...search, pageIndex: 2, pageSize: 25 })).toBe(
      '/api/db/things?select=*&deleted_at=is.null&order=created_at.desc.nullslast&limit=25&offset=50',
    )
  })

  it.each([
    { query: '50%_off', filter: 'name=ilike.*50\\%\\_off*' },
    { query: ' a&b=c ', filter: 'name=ilike.*a&b=c*' },
    { query: '***', filter: undefined },
  ])('searches for the text "$query" as it stands', ({ query, filter }) => {
    const params = new URL(listPath(definition, { ...search, query }), 'http://x').searchParams
    expect(params.get('name')).toBe(filter?.slice('name='.length) ?? null)
  })
})

describe('effectiveOrder', () => {
  it('takes a sortable column of the list from the address, and nothing else', () => {
    expect(effectiveOrder(definition, { sortBy: 'name', sortOrder: 'desc' })).toEqual({ by: 'name', direction: 'desc' })
    expect(effectiveOrder(definition, { sortBy: 'name' })).toEqual({ by: 'name', direction: 'asc' })
    expect(effectiveOrder(definition, { sortBy: 'tags' })).toEqual(definition.order)
    expect(effectiveOrder(definition, { sortBy: 'id;drop' })).toEqual(definition.order)
  })
})

describe('RecordSearchSchema', () => {
  it('reads nonsense key by key as the default', () => {
    expect(RecordSearchSchema.parse({ pageIndex: '-3', pageSize: '7', sortOrder: 'up', query: 'x' })).toEqual({
      query: 'x',
      pageIndex: 0,
      pageSize: 50,
    })
    expect(RecordSearchSchema.parse({ pageIndex: '3', pageSize: '1000' })).toMatchObject({
      pageIndex: 3,
      pageSize: 1000,
    })
  })
})

describe('definitions', () => {
  it.each(Object.keys(RECORDS) as RecordKind[])('order %s by something, and search in a column they show', (kind) => {
    const { columns, order, searchColumn } = recordDefinition(kind)
    const keys = columns.map(({ key }) => key)
    expect(keys).toContain(order.by)
    expect([...keys, undefined]).toContain(searchColumn)
  })
})
