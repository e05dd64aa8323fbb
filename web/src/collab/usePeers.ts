import { useMemo } from 'react'

import type { IncidentRoom, PresentPeer } from './contract.ts'
import { useIncidentPart } from './useIncident.ts'

/** Peers that a test holds for; the same list while they are the same, so that other people's carets cost nothing here. */
function usePeersWhere(key: string, holds: (peer: PresentPeer) => boolean): readonly PresentPeer[] {
  const select = useMemo(() => {
    let last: readonly PresentPeer[] = []
    return ({ peers }: IncidentRoom): readonly PresentPeer[] => {
      const found = peers.filter(holds)
      const isSame = found.length === last.length && found.every((peer, index) => peer === last[index])
      if (!isSame) last = found
      return last
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the test is another function with every render; its key says when it means something else
  }, [key])
  return useIncidentPart(select)
}

/** Peers with their caret in a field, for example `hypotheses/<id>/title`. */
export function usePeersEditing(field: string): readonly PresentPeer[] {
  return usePeersWhere(field, ({ editing }) => editing != null && `${editing.entity}/${editing.field ?? ''}` === field)
}

/** Peers that look at an entity or edit one of its fields, for example `hypotheses/<id>`. */
export function usePeersAt(entity: string): readonly PresentPeer[] {
  return usePeersWhere(entity, ({ viewing, editing }) => viewing?.entity === entity || editing?.entity === entity)
}
