import type { ToastProps } from '@blueprintjs/core'
import { atom, createStore, useAtomValue } from 'jotai'

export type ToastKind = 'result' | 'success' | 'failure'
export type ToastCorner = 'bottom-right' | 'top-right'

export interface ToldToast {
  /** Counts up in this tab. */
  readonly id: number
  readonly kind: ToastKind
  readonly message: string
  /** Milliseconds since the epoch, by the clock of this machine. */
  readonly at: number
}

export interface ShownToast extends ToldToast {
  readonly corner: ToastCorner
  readonly action: ToastProps['action']
}

/** More cover the page, and nobody reads them. */
const MAX_SHOWN = 3
const MAX_TOLD = 50

// Of its own, because toasts are also told by what is no component.
const store = createStore()
const shownAtom = atom<readonly ShownToast[]>([])
const toldAtom = atom<readonly ToldToast[]>([])
let lastId = 0

/**
 * Puts a toast on the page and into the log. Pushes out the oldest where there are too many, a failure only when there is
 * nothing else.
 */
export function tellToast({ kind, message, corner, action }: Omit<ShownToast, 'id' | 'at'>): void {
  lastId += 1
  const told: ToldToast = { id: lastId, kind, message, at: Date.now() }
  store.set(toldAtom, (before) => [told, ...before].slice(0, MAX_TOLD))
  store.set(shownAtom, (before) => {
    const leaving = before.length < MAX_SHOWN ? undefined : (before.find((one) => one.kind !== 'failure') ?? before[0])
    return [...before.filter((one) => one !== leaving), { ...told, corner, action }]
  })
}

export function dismissToast(id: number): void {
  store.set(shownAtom, (before) => before.filter((one) => one.id !== id))
}

/** On the page now, the oldest first. */
export function useShownToasts(): readonly ShownToast[] {
  return useAtomValue(shownAtom, { store })
}

/** What was told in this tab, the newest first. */
export function useToldToasts(): readonly ToldToast[] {
  return useAtomValue(toldAtom, { store })
}

/** Also for whoever signs in next in this tab: they must not read what was told to someone else. */
export function forgetToldToasts(): void {
  store.set(toldAtom, [])
}
