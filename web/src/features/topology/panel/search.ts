import { IncidentStatusSchema, IncidentTypeSchema } from '@watchroom/shared/incidents'
import { z } from 'zod'

import { idField } from '../../../url/searchFields.ts'

/** Neither resolved nor closed: the incidents that cards count as open. */
export const UNRESOLVED = 'unresolved'

/** What a link to the panel of a component carries. */
export const PanelSearchSchema = z.object({
  /** The section that is open; `none` when all are closed. */
  panel: z
    .enum(['details', 'catalog', 'incidents', 'changes', 'checks', 'runs', 'teams', 'insights', 'none'])
    .catch('details'),
  /** Opens the panel of a check over the page. */
  checkId: idField,
  incidentType: z.enum([...IncidentTypeSchema.options, 'all']).catch('all'),
  incidentStatus: z.enum([...IncidentStatusSchema.options, 'all', UNRESOLVED]).catch(UNRESOLVED),
})
