import { useLocation } from '@tanstack/react-router'
import { useMemo } from 'react'

import { readTableSession, toTableKey } from '../../preferences/tableSession.ts'

/** Rows that a table which loads more at its end had when it was left at this address, so that it begins with as many. */
export function useLoadedBefore(name: string): number {
  const href = useLocation({ select: (location) => location.href })
  return useMemo(() => readTableSession(toTableKey(name, href)).loaded ?? 0, [name, href])
}
