import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'

import { readTableSession, writeTableSession } from '../../preferences/tableSession.ts'

/**
 * Rows to load for a table that loads more at its end: twice as many each time (first specification, section 2). Another
 * address is another list; coming back to one finds as many rows as there were.
 */
export function useGrowingSize(name: string, startSize: number): [size: number, grow: () => void] {
  const href = useLocation({ select: (location) => location.href })
  const key = `${name} ${href}`
  const [grown, setGrown] = useState<{ readonly key: string; readonly size: number } | null>(null)
  const size = grown?.key === key ? grown.size : (readTableSession(key).loaded ?? startSize)
  return [
    size,
    () => {
      writeTableSession(key, { loaded: size * 2 })
      setGrown({ key, size: size * 2 })
    },
  ]
}
