import type { ToastProps, Toaster } from '@blueprintjs/core'

/** Milliseconds a toast stays; Blueprint holds it while the pointer or the focus is on it. */
const TOAST_MS = 5_000

type Corner = 'bottom-right' | 'top-right'

const toasters = new Map<Corner, Promise<Toaster>>()

/** One toaster for each corner of the page, loaded and made when its first toast is shown. */
function toasterIn(corner: Corner): Promise<Toaster> {
  const known = toasters.get(corner)
  if (known) return known
  const made = import('./createToaster.tsx').then(({ createToaster }) => createToaster(corner))
  toasters.set(corner, made)
  return made
}

async function show(toast: ToastProps, corner: Corner = 'bottom-right'): Promise<void> {
  const shown = await toasterIn(corner)
  shown.show(toast)
}

/** The result of something the user just did. Goes away by itself. */
export function showToast(message: string, action?: ToastProps['action']): void {
  void show({ message, timeout: TOAST_MS, intent: 'none', ...(action ? { action } : {}) })
}

/** A success that is told at the top right, where the second specification wants it (section 8). */
export function showTopRightToast(message: string): void {
  void show({ message, timeout: TOAST_MS, intent: 'success' }, 'top-right')
}

/** A failure of something the user just did. Stays until dismissed, so that it can be read. */
export function showErrorToast(message: string): void {
  void show({ message, timeout: 0, intent: 'danger' })
}
