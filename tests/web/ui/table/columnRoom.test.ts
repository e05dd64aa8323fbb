// With more than a hundred rows the columns of a list have fixed widths, and the one that names a row gets what the others leave.
import { describe, expect, it } from 'vitest'

import { AGENT_COLUMNS } from '../../../../web/src/features/agents/components/agentColumns.tsx'
import { changeColumns } from '../../../../web/src/features/catalog-changes/changeColumns.tsx'
import { configColumns } from '../../../../web/src/features/catalog-list/configColumns.tsx'
import { summaryColumns } from '../../../../web/src/features/catalog-list/summaryColumns.tsx'
import { CONNECTION_COLUMNS } from '../../../../web/src/features/connections/connectionColumns.tsx'
import { INCIDENT_COLUMNS } from '../../../../web/src/features/incident-list/components/incidentColumns.tsx'
import { insightColumns } from '../../../../web/src/features/insights/insightColumns.tsx'
import { jobColumns } from '../../../../web/src/features/jobs/jobColumns.tsx'
import { ruleColumns } from '../../../../web/src/features/notifications/ruleColumns.tsx'
import { RUN_COLUMNS } from '../../../../web/src/features/playbooks/components/runColumns.tsx'
import { KIND_WIDTH, mainColumn, type TableColumn } from '../../../../web/src/ui/table/column.ts'

/** A window of 1440 pixels without the navigation, the margins of the page and a scrollbar. */
const DESK_PX = 1_440 - 224 - 2 * 24 - 17
/** Column of a menu. */
const MENU_PX = 44
const ROOM_FOR_A_NAME_PX = 190

const nothing = (): undefined => undefined

/** What is left for the main column. */
function roomIn<Row>(columns: readonly TableColumn<Row>[], hasMenu = false): number {
  const main = mainColumn(columns)
  return columns
    .filter((column) => column !== main && !column.isHiddenAtFirst)
    .reduce((room, { width, kind }) => room - (width ?? KIND_WIDTH[kind]), DESK_PX - (hasMenu ? MENU_PX : 0))
}

const ROOMS: Readonly<Record<string, () => number>> = {
  agents: () => roomIn(AGENT_COLUMNS),
  changes: () => roomIn(changeColumns({ isByTime: false, personOf: nothing, onFilter: nothing }), true),
  'config items': () => roomIn(configColumns({ areDeletedHidden: true, bucketOf: () => '' })),
  'types of config items': () => roomIn(summaryColumns(false, nothing)),
  connections: () => roomIn(CONNECTION_COLUMNS),
  incidents: () => roomIn(INCIDENT_COLUMNS),
  insights: () => roomIn(insightColumns(false, true)),
  jobs: () => roomIn(jobColumns({ isOfOne: false, isByTime: true, onDetails: nothing })),
  notifications: () => roomIn(ruleColumns(nothing)),
  runs: () => roomIn(RUN_COLUMNS),
}

describe('long lists at a desk', () => {
  it.each(Object.keys(ROOMS))('leave room for the names of %s', (list) => {
    expect(ROOMS[list]?.()).toBeGreaterThanOrEqual(ROOM_FOR_A_NAME_PX)
  })
})
