import { useMemo, useSyncExternalStore } from 'react'

import type { IncidentRoom } from './contract.ts'
import { useConnection } from './IncidentRoomProvider.tsx'

export type { IncidentRoom } from './contract.ts'

/**
 * One part of the open incident document, that of the `<IncidentRoomProvider>` above. Re-renders only when the part is a new object.
 * There is deliberately no way to get the whole: that would re-render with every letter and caret of everyone.
 *
 * @param select must return an existing part (`(room) => room.view.hypotheses.get(id)`), not a new object each time
 */
export function useIncidentPart<Part>(select: (room: IncidentRoom) => Part): Part {
  const connection = useConnection()
  return useSyncExternalStore(connection.subscribe, () => select(connection.room()))
}

/**
 * A list of parts of the document. It stays the same list while it has the same items in the same order.
 *
 * @param key a new key means that `select` now asks for something else
 */
export function useIncidentItems<Item>(key: string, select: (room: IncidentRoom) => readonly Item[]): readonly Item[] {
  const selectStable = useMemo(() => {
    let last: readonly Item[] = []
    return (room: IncidentRoom): readonly Item[] => {
      const found = select(room)
      const isSame = found.length === last.length && found.every((item, index) => item === last[index])
      if (!isSame) last = found
      return last
    }
    // oxlint-disable-next-line react/exhaustive-deps -- `select` is a new function with every render; the key says when its meaning changes
  }, [key])
  return useIncidentPart(selectStable)
}
