import { Classes } from '@blueprintjs/core'
import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { z } from 'zod'

import { storedAtom } from './storedAtom.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** `public/theme.js` reads the same key before the first paint. */
export const themeAtom = storedAtom<Theme>('theme', { schema: z.enum(THEMES), version: 1, fallback: 'system' })

/** Keeps the page in the chosen theme, and in the system's while that is the choice. */
export function useApplyTheme(): void {
  const theme = useAtomValue(themeAtom)
  useEffect(() => {
    const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)')
    const apply = (): void => {
      const isDark = theme === 'dark' || (theme === 'system' && systemIsDark.matches)
      // On the body, because Blueprint's portals are its children.
      document.body.classList.toggle(Classes.DARK, isDark)
      document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
    }
    apply()
    systemIsDark.addEventListener('change', apply)
    return () => systemIsDark.removeEventListener('change', apply)
  }, [theme])
}
