import type { z } from 'zod'

/** Unsaved work of this tab: survives a reload, ends with the tab. */
const PREFIX = 'draft:'

/** What was being written under `key`, or null when there is none or it cannot be read any more. */
export function readDraft<Value>(key: string, schema: z.ZodType<Value>): Value | null {
  try {
    const text = sessionStorage.getItem(PREFIX + key)
    if (text === null) return null
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    // Blocked by the browser's settings, or not JSON.
    return null
  }
}

export function writeDraft(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + key, JSON.stringify(value))
  } catch {
    // Blocked or full: the page still holds it.
  }
}

export function clearDraft(key: string): void {
  try {
    sessionStorage.removeItem(PREFIX + key)
  } catch {
    // Blocked: nothing was stored.
  }
}

/** For signing out: who comes next on this tab must not find them. */
export function clearAllDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  } catch {
    // Blocked: nothing was stored.
  }
}
