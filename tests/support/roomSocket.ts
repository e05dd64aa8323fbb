import type { RoomPeer } from '../../gateway/src/collab/contract.ts'
import type { Room } from '../../gateway/src/collab/room/createRoom.ts'

/** What answers a browser's sockets: a room of the gateway, or nothing while it is away. */
export interface RoomServer {
  room: Room | null
  /** What people may do from their next socket on, where it differs from what their page believes. */
  readonly grants: Map<string, { canWrite: boolean }>
  /** Closes the next sockets at once with this code, as the gateway does when it refuses someone. */
  refuseWith: number | null
  readonly sockets: RoomSocket[]
  /** Frames that browsers sent, in the order of their arrival. */
  readonly received: Uint8Array[]
  /** While true, frames of browsers stay under way. */
  isHeld: boolean
  /** While true, sockets open but the document does not: the gateway keeps early frames until it does. */
  isOpening: boolean
  openSocket(as: {
    userId: string
    name?: string
    canWrite?: boolean
    isModerator?: boolean
  }): (url: string) => WebSocket
  /** Ends all sockets without a word, as a network does. */
  cut(): void
}

export interface RoomSocket {
  readonly peer: RoomPeer
  readonly isOpen: () => boolean
  /** Lets the frames go that were held. */
  release(): void
  /** The document is open at last. */
  admit(): void
  /** The network ends: both sides notice. */
  cut(): void
}

let count = 0

/** Both ends of a browser's WebSocket in one process; frames arrive in a later microtask, in order. */
export function createRoomServer(): RoomServer {
  const server: RoomServer = {
    room: null,
    grants: new Map(),
    refuseWith: null,
    sockets: [],
    received: [],
    isHeld: false,
    isOpening: false,
    openSocket: (as) => (url) => openSocket(as, new URL(url).searchParams.get('epoch')),
    cut: () => {
      for (const socket of server.sockets) socket.cut()
    },
  }

  function openSocket(as: Parameters<RoomServer['openSocket']>[0], epoch: string | null): WebSocket {
    let isOpen = false
    let isEnded = false
    let isAdmitted = false
    let held: Uint8Array[] = []
    let early: Uint8Array[] = []
    const { room, refuseWith } = server
    const browser = {
      OPEN: 1,
      readyState: 0,
      binaryType: 'arraybuffer',
      onopen: null as (() => void) | null,
      onmessage: null as ((event: { data: ArrayBuffer }) => void) | null,
      onclose: null as ((event: { code: number; reason: string }) => void) | null,
      onerror: null as ((event: unknown) => void) | null,
      send: (data: Uint8Array) => {
        if (!isOpen) throw new Error('the socket is not open')
        const frame = data.slice()
        server.received.push(frame)
        queueMicrotask(() => (server.isHeld ? held.push(frame) : arrive(frame)))
      },
      // What was sent before still arrives.
      close: () => queueMicrotask(() => end(1005, '')),
    }
    const peer: RoomPeer = {
      socketId: `s${++count}`,
      user: { id: as.userId, name: as.name ?? as.userId.slice(-2), avatar: null },
      canWrite: server.grants.get(as.userId)?.canWrite ?? as.canWrite ?? true,
      isModerator: as.isModerator ?? false,
      flush: () => undefined,
      send: (frame) => {
        const data = frame.slice()
        queueMicrotask(() => {
          if (isOpen) browser.onmessage?.({ data: data.buffer })
        })
      },
      close: (code, reason) => queueMicrotask(() => end(code, reason)),
      bufferedBytes: () => 0,
    }

    function arrive(frame: Uint8Array): void {
      if (!isAdmitted) early.push(frame)
      else if (isOpen) room?.receive(peer, frame)
    }

    function admit(): void {
      if (!isOpen || isAdmitted) return
      isAdmitted = true
      room?.join(peer)
      const going = early
      early = []
      for (const frame of going) arrive(frame)
    }

    function end(code: number, reason: string): void {
      if (isEnded) return
      isEnded = true
      const wasOpen = isOpen
      isOpen = false
      browser.readyState = 3
      if (wasOpen) room?.leave(peer)
      queueMicrotask(() => browser.onclose?.({ code, reason }))
    }

    queueMicrotask(() => {
      if (isEnded) return
      if (room === null && refuseWith === null) return end(1006, '')
      isOpen = true
      browser.readyState = 1
      browser.onopen?.()
      if (refuseWith !== null) end(refuseWith, 'refused')
      else if (room && epoch !== null && epoch !== room.epoch) end(4410, 'epoch gone')
      else if (!server.isOpening) admit()
    })
    server.sockets.push({
      peer,
      isOpen: () => isOpen,
      release: () => {
        const going = held
        held = []
        for (const frame of going) arrive(frame)
      },
      admit,
      cut: () => end(1006, ''),
    })
    return browser as unknown as WebSocket
  }

  return server
}
