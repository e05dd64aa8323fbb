// Half-written texts that are not part of a document yet. They survive leaving the screen, a document that starts over and a
// reload of the page, in this tab only: two tabs write two texts.

const PREFIX = 'watchroom-draft/'

/** What was kept, for browsers that forbid storage: then it lives as long as the page. */
const ofThisPage = new Map<string, string>()

/** @param key of the text: person and place */
export function readDraft(key: string): string | null {
  try {
    return sessionStorage.getItem(PREFIX + key) ?? ofThisPage.get(key) ?? null
  } catch {
    return ofThisPage.get(key) ?? null
  }
}

/** @param text null forgets */
export function keepDraft(key: string, text: string | null): void {
  if (text === null) ofThisPage.delete(key)
  else ofThisPage.set(key, text)
  try {
    if (text === null) sessionStorage.removeItem(PREFIX + key)
    else sessionStorage.setItem(PREFIX + key, text)
  } catch {
    // Forbidden or full: it lives as long as the page.
  }
}

/** For the end of a session: the next person must not find them. */
export function wipeKeptDrafts(): void {
  ofThisPage.clear()
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  } catch {
    // Forbidden: nothing was stored.
  }
}
