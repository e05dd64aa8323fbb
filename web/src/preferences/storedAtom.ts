import { atomWithStorage } from 'jotai/utils'
import type { z } from 'zod'

export interface StoredAtomOptions<Value> {
  schema: z.ZodType<Value>
  /** Increase it when the meaning of the value changes; older values are then ignored. */
  version: number
  fallback: Value
}

/**
 * A preference of this browser: survives a reload, follows changes made in other tabs, and reads anything invalid as
 * the fallback. Stored as `{v, value}` under `key`. If storage is blocked, it lives as long as the page.
 */
export function storedAtom<Value>(key: string, options: StoredAtomOptions<Value>) {
  const parse = (text: string | null): Value => parseStored(text, options)
  return atomWithStorage<Value>(
    key,
    options.fallback,
    {
      getItem: () => parse(readItem(key)),
      setItem: (_key, value) => writeItem(key, JSON.stringify({ v: options.version, value })),
      removeItem: () => removeItem(key),
      subscribe: (_key, onValue) => {
        const handleStorage = (event: StorageEvent): void => {
          if (event.key === key) onValue(parse(event.newValue))
        }
        window.addEventListener('storage', handleStorage)
        return () => window.removeEventListener('storage', handleStorage)
      },
    },
    { getOnInit: true },
  )
}

/** Reads a stored preference; anything that is not a valid value of this version is the fallback. */
export function parseStored<Value>(text: string | null, options: StoredAtomOptions<Value>): Value {
  if (text === null) return options.fallback
  try {
    const stored: unknown = JSON.parse(text)
    if (typeof stored !== 'object' || stored === null) return options.fallback
    if (!('v' in stored) || stored.v !== options.version || !('value' in stored)) return options.fallback
    const parsed = options.schema.safeParse(stored.value)
    return parsed.success ? parsed.data : options.fallback
  } catch {
    // Not JSON: another program uses the same key.
    return options.fallback
  }
}

function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    // Blocked by the browser's settings.
    return null
  }
}

function writeItem(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // Blocked or full: the atom still holds the value for this page.
  }
}

function removeItem(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Blocked: nothing was stored.
  }
}
