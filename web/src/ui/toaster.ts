import type { ToastProps, Toaster } from '@blueprintjs/core'

/** Milliseconds a toast stays; Blueprint holds it while the pointer or the focus is on it. */
const TOAST_MS = 5_000

let pending: Promise<Toaster> | undefined

/** One toaster for the page, loaded and made when the first toast is shown. */
function toaster(): Promise<Toaster> {
  pending ??= import('./createToaster.tsx').then(({ createToaster }) => createToaster())
  return pending
}

async function show(toast: ToastProps): Promise<void> {
  const shown = await toaster()
  shown.show(toast)
}

/** The result of something the user just did. Goes away by itself. */
export function showToast(message: string, action?: ToastProps['action']): void {
  void show({ message, timeout: TOAST_MS, intent: 'none', ...(action ? { action } : {}) })
}

/** A failure of something the user just did. Stays until dismissed, so that it can be read. */
export function showErrorToast(message: string): void {
  void show({ message, timeout: 0, intent: 'danger' })
}
