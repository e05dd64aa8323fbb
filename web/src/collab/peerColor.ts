/** Number of identity colors in `collab.css`. */
export const PEER_COLORS = 8

/** A person has the same color everywhere, without anyone assigning colors. */
export function peerColor(userId: string): number {
  let value = 0
  for (let index = 0; index < userId.length; index++) value = (Math.imul(value, 31) + userId.charCodeAt(index)) >>> 0
  return value % PEER_COLORS
}
