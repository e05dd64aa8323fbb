import type { PeerUser } from '@watchroom/shared/collab'

/** One connection to a document, as its room sees it. Knows frames, not sockets. */
export interface RoomPeer {
  readonly socketId: string
  readonly user: PeerUser
  /** Changes when the person's role does; the room reads it on every update. */
  canWrite: boolean
  /** May change and remove what others wrote. */
  isModerator: boolean
  send(frame: Uint8Array): void
  close(code: number, reason: string): void
  /** Bytes handed over that the network has not taken yet. */
  bufferedBytes(): number
}
