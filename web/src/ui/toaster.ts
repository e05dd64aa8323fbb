import { type ShownToast, tellToast } from './toastStore.ts'

let mounted: Promise<void> | undefined

/** The place of the toasts is loaded with the first of them. */
function show(toast: Omit<ShownToast, 'id' | 'at'>): void {
  tellToast(toast)
  mounted ??= import('./ToastStack.tsx').then(
    ({ mountToastStack }) => mountToastStack(),
    () => {
      // Offline, or after an update: shown with the next one that finds it. The log has it meanwhile.
      mounted = undefined
    },
  )
}

/** The result of something the user just did. Goes away by itself. */
export function showToast(message: string, action?: ShownToast['action']): void {
  show({ kind: 'result', message, corner: 'bottom-right', action })
}

/** A success that is told at the top right, where the second specification wants it (section 8). */
export function showTopRightToast(message: string): void {
  show({ kind: 'success', message, corner: 'top-right', action: undefined })
}

/** A failure of something the user just did. Marked in the log until someone looked. */
export function showErrorToast(message: string): void {
  show({ kind: 'failure', message, corner: 'bottom-right', action: undefined })
}
