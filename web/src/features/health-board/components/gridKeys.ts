import { ownValue } from '@watchroom/shared/kernel'

export type GridAction = 'next' | 'previous' | 'pageDown' | 'pageUp' | 'first' | 'last' | 'open' | 'expand' | 'collapse'

const ACTIONS: Record<string, GridAction> = {
  ArrowDown: 'next',
  j: 'next',
  ArrowUp: 'previous',
  k: 'previous',
  PageDown: 'pageDown',
  PageUp: 'pageUp',
  Home: 'first',
  End: 'last',
  Enter: 'open',
  ArrowRight: 'expand',
  ArrowLeft: 'collapse',
}

interface PressedKey {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}

/** @returns null for keys that mean something else; a modifier makes any key someone else's */
export function toGridAction({ key, ctrlKey, metaKey, altKey }: PressedKey): GridAction | null {
  if (ctrlKey || metaKey || altKey) return null
  return ownValue(ACTIONS, key) ?? null
}
