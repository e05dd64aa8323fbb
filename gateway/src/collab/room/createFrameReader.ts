// Reads the frames of peers: questions, updates, presence. Never throws: what cannot be read closes that peer.

import { FRAME, SYNC } from '@watchroom/shared/collab'
import * as decoding from 'lib0/decoding'

import type { Logger } from '../../platform/logger.ts'
import type { Connection } from './connection.ts'
import type { Answers } from './createAnswers.ts'
import type { Connections } from './createConnections.ts'
import type { Presence } from './createPresence.ts'
import { toAwarenessFrame, TOO_LARGE, toSyncFrame } from './frames.ts'
import { ROOM_LIMITS } from './roomLimits.ts'

export interface FrameReaderDeps {
  readonly name: string
  readonly logger: Logger
  readonly answers: Answers
  readonly connections: Connections
  readonly presence: Presence
}

export function createFrameReader(deps: FrameReaderDeps): (connection: Connection, frame: Uint8Array) => void {
  const { answers, connections, presence } = deps

  /** The answer to our question names all deletions of the document again. */
  const isTooLarge = ({ intake }: Connection, { byteLength }: Uint8Array): boolean =>
    byteLength > ROOM_LIMITS.frameBytes &&
    (intake.hasAnswered || byteLength > ROOM_LIMITS.frameBytes + answers.deletions().byteLength)

  const readSync = (connection: Connection, decoder: decoding.Decoder): void => {
    const { peer, intake } = connection
    const step = decoding.readVarUint(decoder)
    const body = decoding.readVarUint8Array(decoder)
    if (step === SYNC.step1) {
      if (!connection.questions.tryTake())
        return connections.refuse(peer, 'rateExceeded', { path: '', message: 'Too many questions in a short time' })
      const answer = toSyncFrame(SYNC.step2, answers.since(body))
      connections.deliver(peer, answer)
      connection.answerBytes = answer.byteLength
      return
    }
    if (!connection.updates.tryTake())
      return connections.refuse(peer, 'rateExceeded', { path: '', message: 'Too many changes in a short time' })
    if (step === SYNC.step2) intake.answer(body)
    else if (step === SYNC.update) intake.add(body)
    else connections.refuse(peer, 'badMessage')
  }

  return (connection, frame) => {
    const { peer } = connection
    if (isTooLarge(connection, frame)) return connections.refuse(peer, 'tooLarge', TOO_LARGE)
    try {
      const decoder = decoding.createDecoder(frame)
      switch (decoding.readVarUint(decoder)) {
        case FRAME.sync:
          return readSync(connection, decoder)
        case FRAME.awareness:
          return presence.receive(peer, decoding.readVarUint8Array(decoder))
        case FRAME.queryAwareness: {
          if (!connection.questions.tryTake()) return connections.refuse(peer, 'rateExceeded')
          const present = presence.snapshot()
          if (present) connections.deliver(peer, toAwarenessFrame(present))
          return
        }
        default:
          return connections.refuse(peer, 'badMessage')
      }
    } catch (error) {
      deps.logger.info({ err: error, document: deps.name, userId: peer.user.id }, 'frame not understood')
      connections.refuse(peer, 'badMessage')
    }
  }
}
