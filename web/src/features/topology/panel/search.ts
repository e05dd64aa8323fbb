import { z } from 'zod'

import { IncidentFilterSchema } from '../../../ui/incident/incidentFilters.ts'
import { idField } from '../../../url/searchFields.ts'

/** What a link to the panel of a component carries. */
export const PanelSearchSchema = z.object({
  /** The section that is open; `none` when all are closed. */
  panel: z
    .enum(['details', 'catalog', 'incidents', 'changes', 'checks', 'runs', 'teams', 'insights', 'none'])
    .catch('details'),
  /** Opens the panel of a check over the page. */
  checkId: idField,
  ...IncidentFilterSchema.shape,
})
