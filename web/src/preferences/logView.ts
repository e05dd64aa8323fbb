import { useAtom } from 'jotai'
import { z } from 'zod'

import { storedAtom } from './storedAtom.ts'

/** How this person reads logs. */
interface LogPreferences {
  readonly isWrapped: boolean
  readonly hasTimes: boolean
}

const logPreferencesAtom = storedAtom<LogPreferences>('logView', {
  schema: z.object({ isWrapped: z.boolean(), hasTimes: z.boolean() }),
  version: 1,
  fallback: { isWrapped: true, hasTimes: false },
})

export const useLogPreferences = () => useAtom(logPreferencesAtom)
