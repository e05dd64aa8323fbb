import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { z } from 'zod'

import { storedAtom } from './storedAtom.ts'

export const DENSITIES = ['comfortable', 'default', 'compact'] as const
export type Density = (typeof DENSITIES)[number]

/** Height of a table row in pixels. 37 is the specification's; `ui/theme.css` holds the same numbers for the style sheets. */
export const ROW_HEIGHT: Record<Density, number> = { comfortable: 44, default: 37, compact: 30 }

export const densityAtom = storedAtom<Density>('density', {
  schema: z.enum(DENSITIES),
  version: 1,
  fallback: 'default',
})

/** Row height of the chosen density, for virtual tables. */
export function useRowHeight(): number {
  return ROW_HEIGHT[useAtomValue(densityAtom)]
}

export function useApplyDensity(): void {
  const density = useAtomValue(densityAtom)
  useEffect(() => {
    document.body.dataset['density'] = density
  }, [density])
}
