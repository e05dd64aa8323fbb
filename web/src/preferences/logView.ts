import { useAtom } from 'jotai'
import { z } from 'zod'

import { storedAtom } from './storedAtom.ts'

/** How this person reads logs. */
export interface LogPreferences {
  readonly isWrapped: boolean
  /** For what programs print. */
  readonly hasTimes: boolean
  /** For lines in columns, where the time matters most. */
  readonly hasTimeColumn: boolean
}

const logPreferencesAtom = storedAtom<LogPreferences>('logView', {
  schema: z.object({ isWrapped: z.boolean(), hasTimes: z.boolean(), hasTimeColumn: z.boolean().default(true) }),
  version: 1,
  fallback: { isWrapped: true, hasTimes: false, hasTimeColumn: true },
})

export const useLogPreferences = () => useAtom(logPreferencesAtom)
