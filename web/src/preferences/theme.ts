import { Classes } from '@blueprintjs/core'
import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { z } from 'zod'

import { storedAtom } from './storedAtom.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** `firstTheme.js` reads the same key before the first paint. */
export const themeAtom = storedAtom<Theme>('theme', { schema: z.enum(THEMES), version: 1, fallback: 'system' })

/** Set by a screen with its own theme while it is open. */
const themeOverrideAtom = atom<Theme | null>(null)

/** Shows the page in this theme while the component is mounted, whatever the person prefers elsewhere. */
export function useThemeOverride(theme: Theme): void {
  const setOverride = useSetAtom(themeOverrideAtom)
  useEffect(() => {
    setOverride(theme)
    return () => setOverride(null)
  }, [theme, setOverride])
}

/** Keeps the page in the chosen theme, and in the system's while that is the choice. */
export function useApplyTheme(): void {
  const preferred = useAtomValue(themeAtom)
  const theme = useAtomValue(themeOverrideAtom) ?? preferred
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
