import { describe, expect, it } from 'vitest'

import { filterIncidents } from '../../../../web/src/features/incident-list/filterIncidents.ts'
import { DEFAULT_FILTERS, type IncidentSearch } from '../../../../web/src/features/incident-list/search.ts'
import { buildIncident } from './buildIncident.ts'

const incidents = [
  buildIncident('1', { created_at: '2025-12-01T00:00:00Z', title: 'Disk is full', component_ids: ['db', 'web'] }),
  buildIncident('2', { created_at: '2025-12-03T00:00:00Z', type: 'cost', created_by: 'ben' }),
  buildIncident('3', { created_at: '2025-12-02T00:00:00Z', severity: 'Medium', status: 'closed' }),
  buildIncident('4', { created_at: null, created_by: null }),
  buildIncident('5', {
    created_at: '2025-11-01T00:00:00Z',
    severity: 'Critical',
    status: 'mitigated',
    created_by: 'eve',
  }),
  buildIncident('6', {
    created_at: '2025-12-04T00:00:00Z',
    severity: 'low',
    status: 'investigating',
    created_by: 'eve',
  }),
  buildIncident('7', {
    created_at: '2025-11-20T00:00:00Z',
    severity: 'critical',
    status: 'Resolved',
    created_by: 'eve',
  }),
  buildIncident('8', { created_at: '2025-12-05T00:00:00Z', severity: 'nobody knows', created_by: 'eve' }),
]
const find = (filters: Partial<IncidentSearch>) =>
  filterIncidents(incidents, { ...DEFAULT_FILTERS, status: 'all', ...filters }).map(({ id }) => id)

describe('filterIncidents', () => {
  it.each<[Partial<IncidentSearch>, string[]]>([
    [{}, ['5', '2', '1', '4', '6', '8', '3', '7']],
    [{ status: 'open' }, ['2', '1', '4', '8']],
    [{ type: 'cost' }, ['2']],
    [{ severity: 'medium' }, ['3']],
    [{ owner: 'ana' }, ['1', '3']],
    [{ component: 'web' }, ['1']],
    [{ search: ' DISK ' }, ['1']],
    [{ search: 'inc-3' }, ['3']],
    [{ owner: 'ana', status: 'open' }, ['1']],
    [{ search: 'nothing' }, []],
  ])('leaves those that match %j, most urgent first', (filters, ids) => {
    expect(find(filters)).toEqual(ids)
  })
})
