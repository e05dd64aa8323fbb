import { useAtom } from 'jotai'
import { z } from 'zod'

import { storedAtom } from './storedAtom.ts'

/** In pixels; the message takes the remaining width. */
export interface LogColumnSizes {
  readonly time: number
  readonly labels: number
}

// The key is the specification's.
const logColumnSizesAtom = storedAtom<LogColumnSizes>('logsTableColumnSizes', {
  schema: z.object({ time: z.number().positive(), labels: z.number().positive() }),
  version: 1,
  fallback: { time: 120, labels: 220 },
})

/** Column widths for logs, as this browser remembers them. */
export const useLogColumnSizes = () => useAtom(logColumnSizesAtom)
