import { z } from 'zod'

import { ITEM_FIELDS } from './itemFields.ts'

/** The product itself: its host, processes, packages, feature flags, agents and database. */
export const SelfElementSchema = z.strictObject(ITEM_FIELDS)
