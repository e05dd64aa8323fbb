import type { PresentPeer } from './contract.ts'
import { useIncidentItems } from './useIncident.ts'

/** Peers with their caret in a field, for example `hypotheses/<id>/title`. Carets elsewhere cause no re-render. */
export function usePeersEditing(field: string): readonly PresentPeer[] {
  return useIncidentItems(field, ({ peers }) => groupPeers(peers).get(field) ?? NO_ONE)
}

/** Peers who look at an entity or edit one of its fields, for example `hypotheses/<id>`. */
export function usePeersAt(entity: string): readonly PresentPeer[] {
  return useIncidentItems(entity, ({ peers }) => groupPeers(peers).get(entity) ?? NO_ONE)
}

type PeersByPlace = ReadonlyMap<string, readonly PresentPeer[]>

const NO_ONE: readonly PresentPeer[] = []
/** Cached per list: everything on screen asks about the same one. */
const known = new WeakMap<readonly PresentPeer[], PeersByPlace>()

/** Peers by the entity they are at, and by the field with their caret. */
function groupPeers(peers: readonly PresentPeer[]): PeersByPlace {
  const before = known.get(peers)
  if (before) return before
  const groups = new Map<string, PresentPeer[]>()
  for (const peer of peers) {
    const { viewing, editing } = peer
    const places = new Set([
      viewing?.entity,
      editing?.entity,
      editing ? `${editing.entity}/${editing.field ?? ''}` : undefined,
    ])
    for (const place of places) {
      if (place === undefined) continue
      const group = groups.get(place)
      if (group) group.push(peer)
      else groups.set(place, [peer])
    }
  }
  known.set(peers, groups)
  return groups
}
