import { ConfigSummarySchema } from '@watchroom/shared/catalog'
import { describe, expect, it } from 'vitest'

import { toItems, toSummaryRows } from '../../../../web/src/features/catalog-list/summaryRows.ts'

const rowOf = (row: object) => ConfigSummarySchema.parse({ count: 1, created_at: null, updated_at: null, ...row })
const CLASS_AND_TYPE = [{ by: 'config_class' }, { by: 'type' }] as const
const shown = (rows: ReturnType<typeof toSummaryRows>) => rows.map(({ group, summary }) => `${group} / ${summary.type}`)

describe('rows of the summary', () => {
  it('stand by class and type, those of pinned types before all others', () => {
    const rows = ['Kubernetes::Pod', 'File', 'AWS::EC2::Instance', 'Kubernetes::Node'].map((type) => rowOf({ type }))
    expect(shown(toSummaryRows(rows, CLASS_AND_TYPE, { 'Kubernetes::Pod': true, File: false }))).toEqual([
      'Pinned / Kubernetes::Pod',
      'AWS / AWS::EC2::Instance',
      'File / File',
      'Kubernetes / Kubernetes::Node',
    ])
  })

  it('stand by a tag, whose key the backend writes in lower case', () => {
    const rows = [
      rowOf({ type: 'Host', region: 'us' }),
      rowOf({ type: 'Host', region: 'eu' }),
      rowOf({ type: 'File', region: null }),
    ]
    const grouped = toSummaryRows(rows, [{ by: 'tag', tag: 'Region' }], {})
    expect(shown(grouped)).toEqual(['Region: eu / Host', 'Region: none / File', 'Region: us / Host'])
    expect(new Set(grouped.map(({ key }) => key)).size).toBe(3)
  })

  it('lead to their items: type and tags are set, labels stay, the grouping goes', () => {
    const [row] = toSummaryRows([rowOf({ type: 'Host', region: 'eu' })], [{ by: 'tag', tag: 'region' }], {})
    const before = { labels: 'app__:__web', tags: 'region____us:1,zone____a:-1', groupBy: 'region__tag' }
    expect(row && toItems(row)(before)).toEqual({
      labels: 'app__:__web',
      configType: 'Host',
      tags: 'zone____a:-1,region____eu:1',
      groupBy: undefined,
      groupByProp: undefined,
    })
  })
})
