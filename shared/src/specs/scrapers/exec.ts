import { z } from 'zod'

import { duration, required, VARIABLE_NAME } from '../common.ts'
import { ITEM_FIELDS } from './itemFields.ts'

const VariableSchema = z.strictObject({
  name: required.max(200).regex(VARIABLE_NAME, 'Must be the name of a variable'),
  value: z.string().max(100_000),
})

/** What a script prints as JSON: an item, a list of items, or an item on each line. */
export const ExecElementSchema = z.strictObject({
  ...ITEM_FIELDS,
  script: required.max(100_000),
  env: z.array(VariableSchema).max(100).optional(),
  timeout: duration.optional(),
})
export type ExecElement = z.output<typeof ExecElementSchema>
