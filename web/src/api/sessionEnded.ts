// Tells the page that the server no longer knows its session. `app` decides what happens then; `api` knows no routes.

const listeners = new Set<() => void>()

/** Returns a function that stops listening. */
export function onSessionEnded(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function announceSessionEnded(): void {
  for (const listener of listeners) listener()
}

/** For signing out: that navigates by itself, and must not be redirected because the session turns out to have ended first. */
export const ignoreSessionEnd = (): void => listeners.clear()
