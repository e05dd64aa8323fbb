import { useMemo, useSyncExternalStore } from 'react'

import type { IncidentRoom } from './contract.ts'
import { useConnection } from './IncidentRoomProvider.tsx'

export type { IncidentRoom } from './contract.ts'

/**
 * One part of the open incident document, which is the one of `<IncidentRoomProvider id>` above; renders only when that part
 * is another object. There is no way to take the whole of it: that would render with every letter and caret of everyone.
 *
 * @param select must give a part as it is (`(room) => room.view.hypotheses.get(id)`), not a new object each time
 */
export function useIncidentPart<Part>(select: (room: IncidentRoom) => Part): Part {
  const connection = useConnection()
  return useSyncExternalStore(connection.subscribe, () => select(connection.room()))
}

/**
 * A list made of parts of the document; the same list as long as it has the same items in the same order.
 *
 * @param key another one means that `select` asks for something else now
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
    // oxlint-disable-next-line react/exhaustive-deps -- the selection is another function with every render; its key says when it means something else
  }, [key])
  return useIncidentPart(selectStable)
}
