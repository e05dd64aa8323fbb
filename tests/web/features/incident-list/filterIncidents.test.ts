import { describe, expect, it } from 'vitest'

import { filterIncidents } from '../../../../web/src/features/incident-list/filterIncidents.ts'
import { DEFAULT_FILTERS, type IncidentSearch } from '../../../../web/src/features/incident-list/search.ts'
import { buildIncident } from './buildIncident.ts'

const incidents = [
  buildIncident('1', { created_at: '2025-12-01T00:00:00Z', title: 'Disk is full', component_ids: ['db', 'web'] }),
  buildIncident('2', { created_at: '2025-12-03T00:00:00Z', type: 'cost', created_by: 'ben' }),
  buildIncident('3', { created_at: '2025-12-02T00:00:00Z', severity: 'Medium', status: 'closed' }),
  buildIncident('4', { created_at: null, created_by: null }),
]
const find = (filters: Partial<IncidentSearch>) =>
  filterIncidents(incidents, { ...DEFAULT_FILTERS, status: 'all', ...filters }).map(({ id }) => id)

describe('filterIncidents', () => {
  it.each<[Partial<IncidentSearch>, string[]]>([
    [{}, ['2', '3', '1', '4']],
    [{ status: 'open' }, ['2', '1', '4']],
    [{ type: 'cost' }, ['2']],
    [{ severity: 'medium' }, ['3']],
    [{ owner: 'ana' }, ['3', '1']],
    [{ component: 'web' }, ['1']],
    [{ search: ' DISK ' }, ['1']],
    [{ search: 'inc-3' }, ['3']],
    [{ owner: 'ana', status: 'open' }, ['1']],
    [{ search: 'nothing' }, []],
  ])('leaves those that match %j, newest first', (filters, ids) => {
    expect(find(filters)).toEqual(ids)
  })
})
