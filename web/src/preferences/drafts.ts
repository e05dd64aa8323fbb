import type { z } from 'zod'

// Unsaved work of this tab: survives leaving the screen and a reload, ends with the tab or the session. Two tabs write two drafts.

const PREFIX = 'draft:'

/** Drafts that the browser cannot store, because storage is blocked or full. They live as long as the page. */
const ofThisPage = new Map<string, string>()

/** The draft stored under `key`, or null when there is none or it can no longer be read. */
export function readDraft<Value>(key: string, schema: z.ZodType<Value>): Value | null {
  try {
    const text = ofThisPage.get(key) ?? sessionStorage.getItem(PREFIX + key)
    if (text === null) return null
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    // Blocked by the browser's settings, or not JSON.
    return null
  }
}

export function writeDraft(key: string, value: unknown): void {
  const text = JSON.stringify(value)
  try {
    sessionStorage.setItem(PREFIX + key, text)
    ofThisPage.delete(key)
  } catch {
    // Blocked or full.
    ofThisPage.set(key, text)
  }
}

export function clearDraft(key: string): void {
  ofThisPage.delete(key)
  try {
    sessionStorage.removeItem(PREFIX + key)
  } catch {
    // Blocked: nothing was stored.
  }
}

/** For signing out: the next person in this tab must not find them. */
export function clearAllDrafts(): void {
  ofThisPage.clear()
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  } catch {
    // Blocked: nothing was stored.
  }
}
