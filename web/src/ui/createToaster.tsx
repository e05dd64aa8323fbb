import { OverlaysProvider, OverlayToaster, type Toaster, type ToasterPosition } from '@blueprintjs/core'
import { createRoot } from 'react-dom/client'

const MAX_TOASTS = 3

/** Apart from `toaster.ts` so that a page without toasts does not load them. Has a tree of its own beside the page's. */
export function createToaster(position: ToasterPosition): Promise<Toaster> {
  return OverlayToaster.create(
    { position, maxToasts: MAX_TOASTS },
    {
      domRenderer: (element, container) => createRoot(container).render(<OverlaysProvider>{element}</OverlaysProvider>),
    },
  )
}
