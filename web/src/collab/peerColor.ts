/** Number of identity colours in `collab.css`. */
export const PEER_COLORS = 8

/** The same person has the same colour everywhere, without anybody handing colours out. */
export function peerColor(userId: string): number {
  let value = 0
  for (let index = 0; index < userId.length; index++) value = (Math.imul(value, 31) + userId.charCodeAt(index)) >>> 0
  return value % PEER_COLORS
}
