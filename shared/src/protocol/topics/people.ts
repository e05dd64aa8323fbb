import { z } from 'zod'

import { type Person, PersonSchema } from '../../people/index.ts'
import type { Topic } from '../topic.ts'

/** People who can sign in, as the users page lists them. */
export const peopleTopic: Topic<Record<string, never>, Person> = {
  name: 'people',
  params: z.record(z.string(), z.never()),
  row: PersonSchema,
  key: 'id',
  resource: () => 'identities',
  source: () => 'identities',
}
