import { useEffect } from 'react'

import { TEXT_FIELDS } from '../ui/hotkeys.ts'
import type { IncidentConnection } from './createIncidentConnection.ts'

const BOUND = '[data-collab-field]'

/**
 * Ctrl+Z undoes the person's own latest edit of the document; Ctrl+Shift+Z and Ctrl+Y redo it. Fields that are not part of the
 * document keep the browser's own undo.
 */
export function useUndoKeys(connection: IncidentConnection | null): void {
  useEffect(() => {
    if (connection === null) return undefined
    const handleKeyDown = (event: KeyboardEvent): void => {
      const direction = toDirection(event)
      if (direction === null || event.defaultPrevented || event.isComposing) return
      const { target } = event
      if (target instanceof Element && target.closest(TEXT_FIELDS) && !target.closest(BOUND)) return
      event.preventDefault()
      connection.room().undo[direction]()
    }
    document.addEventListener('keydown', handleKeyDown)
    return () => document.removeEventListener('keydown', handleKeyDown)
  }, [connection])
}

function toDirection({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): 'undo' | 'redo' | null {
  if (altKey || ctrlKey === metaKey) return null
  const letter = key.toLowerCase()
  if (letter === 'z') return shiftKey ? 'redo' : 'undo'
  return letter === 'y' && !shiftKey ? 'redo' : null
}
