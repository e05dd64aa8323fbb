import { type ComponentType, lazy } from 'react'

import type * as Popups from './popups.tsx'
import type { TipPopupProps } from './popups.tsx'

/** What floats but only adds to what the page says: where it cannot be loaded, offline or after an update, the page works without it. */
export const lazyTip = (pick: (popups: typeof Popups) => ComponentType<TipPopupProps>) =>
  lazy<ComponentType<TipPopupProps>>(async () => {
    try {
      return { default: pick(await import('./popups.tsx')) }
    } catch {
      return { default: () => null }
    }
  })
