import type { PresentPeer } from './contract.ts'
import { useIncidentItems } from './useIncident.ts'

/** Peers with their caret in a field, for example `hypotheses/<id>/title`. */
export function usePeersEditing(field: string): readonly PresentPeer[] {
  return usePeersWhere(field, ({ editing }) => editing != null && `${editing.entity}/${editing.field ?? ''}` === field)
}

/** Peers that look at an entity or edit one of its fields, for example `hypotheses/<id>`. */
export function usePeersAt(entity: string): readonly PresentPeer[] {
  return usePeersWhere(entity, ({ viewing, editing }) => viewing?.entity === entity || editing?.entity === entity)
}

/** Other people's carets elsewhere cost nothing here. */
function usePeersWhere(key: string, holds: (peer: PresentPeer) => boolean): readonly PresentPeer[] {
  return useIncidentItems(key, ({ peers }) => peers.filter(holds))
}
