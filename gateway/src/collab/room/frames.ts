import { encodeOwnFrame, FRAME, SYNC } from '@watchroom/shared/collab'
import * as encoding from 'lib0/encoding'

/** Why something was refused, for the person who did it. */
export interface Rejection {
  /** Of the field; empty where it is none in particular. */
  readonly path: string
  readonly message: string
}

export const TOO_LARGE: Rejection = { path: '', message: 'This change is too large' }

export const toRejectedFrame = (code: string, rejection: Rejection): Uint8Array =>
  encodeOwnFrame({ type: 'rejected', value: { code, ...rejection } })

export const toRoleFrame = (canWrite: boolean): Uint8Array => encodeOwnFrame({ type: 'role', value: { canWrite } })

export function toSyncFrame(step: number, body: Uint8Array): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, FRAME.sync)
  encoding.writeVarUint(encoder, step)
  encoding.writeVarUint8Array(encoder, body)
  return encoding.toUint8Array(encoder)
}

export const toUpdateFrame = (update: Uint8Array): Uint8Array => toSyncFrame(SYNC.update, update)

export function toAwarenessFrame(message: Uint8Array): Uint8Array {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, FRAME.awareness)
  encoding.writeVarUint8Array(encoder, message)
  return encoding.toUint8Array(encoder)
}
