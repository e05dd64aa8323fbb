import { useAtom } from 'jotai'
import { z } from 'zod'

import { storedAtom } from './storedAtom.ts'

/** Pixels; the message has what is left. */
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

/** Widths of the columns of logs, as this browser keeps them. */
export const useLogColumnSizes = () => useAtom(logColumnSizesAtom)
