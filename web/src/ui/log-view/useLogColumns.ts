import { useEffect, useState } from 'react'

import { type LogColumnSizes, useLogColumnSizes } from '../../preferences/logColumns.ts'
import { useScreenClock } from '../clock.tsx'

/** Second specification, section 2. */
const SAVE_MS = 500

/** How wide the columns of logs are: at once on the screen, and kept once they stand still. */
export function useLogColumns(): [LogColumnSizes, (sizes: LogColumnSizes) => void] {
  const { clock } = useScreenClock()
  const [kept, keep] = useLogColumnSizes()
  const [sizes, setSizes] = useState(kept)
  useEffect(() => (sizes === kept ? undefined : clock.schedule(() => keep(sizes), SAVE_MS)), [clock, sizes, kept, keep])
  return [sizes, setSizes]
}
