import './toasts.css'
import { type Intent, Toast } from '@blueprintjs/core'
import { createRoot } from 'react-dom/client'

import { dismissToast, type ToastCorner, type ToastKind, useShownToasts } from './toastStore.ts'

/**
 * Milliseconds a toast stays (first specification, section 9); Blueprint holds it while the pointer or the focus is on it.
 * Failures disappear, too: the log keeps them, and marks them until someone has looked.
 */
const TOAST_MS = 5_000

const INTENTS: Record<ToastKind, Intent> = { result: 'none', success: 'success', failure: 'danger' }
const CORNERS: readonly ToastCorner[] = ['top-right', 'bottom-right']

function ToastStack() {
  const toasts = useShownToasts()
  return CORNERS.map((corner) => (
    <div key={corner} className="wr-toasts" data-corner={corner}>
      {toasts
        .filter((toast) => toast.corner === corner)
        .map(({ id, kind, message, action }) => (
          <Toast
            key={id}
            message={message}
            intent={INTENTS[kind]}
            timeout={TOAST_MS}
            onDismiss={() => dismissToast(id)}
            {...(action ? { action } : {})}
          />
        ))}
    </div>
  ))
}

/** In its own React tree: a page that crashes must still be able to report it. */
export function mountToastStack(): void {
  const place = document.createElement('div')
  document.body.append(place)
  createRoot(place).render(<ToastStack />)
}
