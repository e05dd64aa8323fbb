import {
  type PackedBody,
  PackedBodySchema,
  PackedRowsSchema,
  type ServerMessage,
  unpackRows,
} from '@watchroom/shared/protocol'

import type { Inflate } from './contract.ts'

export type TopicMessage = Extract<ServerMessage, { id: string }>
export type UnpackedMessage = Exclude<TopicMessage, { type: 'packed' }>

export interface TopicInbox {
  receive(message: TopicMessage): void
  /** Stops waiting for what is still being unpacked. */
  clear(): void
}

/**
 * Passes messages on in the order they arrived. Inflating may take a turn of the event loop; later messages wait for it.
 *
 * @param isCurrent whether messages of this subscription still count
 */
export function createTopicInbox(deps: {
  readonly inflate: Inflate
  readonly isCurrent: (id: string) => boolean
  readonly onMessage: (message: UnpackedMessage) => void
  readonly onUnreadable: (detail: string) => void
}): TopicInbox {
  let queue: Promise<void> | null = null

  const unpack = async (id: string, data: ArrayBuffer | Uint8Array): Promise<void> => {
    const text = deps.inflate(data instanceof Uint8Array ? data : new Uint8Array(data))
    const body = PackedBodySchema.safeParse(JSON.parse(typeof text === 'string' ? text : await text))
    if (!deps.isCurrent(id)) return
    if (!body.success) deps.onUnreadable('packed body')
    else handOn(id, body.data)
  }

  const handOn = (id: string, body: PackedBody): void => {
    if (body.type === 'delta') {
      deps.onMessage({ ...body, id })
      return
    }
    const { table, ...rest } = body
    const rows = PackedRowsSchema.safeParse(table)
    if (rows.success) deps.onMessage({ ...rest, id, rows: unpackRows(rows.data) })
    else deps.onUnreadable('packed rows')
  }

  const take = async (message: TopicMessage): Promise<void> => {
    if (!deps.isCurrent(message.id)) return
    if (message.type !== 'packed') {
      deps.onMessage(message)
      return
    }
    try {
      await unpack(message.id, message.data)
    } catch (error) {
      if (deps.isCurrent(message.id)) deps.onUnreadable(error instanceof Error ? error.message : 'inflate')
    }
  }

  return {
    receive: (message) => {
      if (!queue && message.type !== 'packed') {
        deps.onMessage(message)
        return
      }
      const mine: Promise<void> = (queue ?? Promise.resolve())
        .then(() => take(message))
        .finally(() => {
          if (queue === mine) queue = null
        })
      queue = mine
    },
    clear: () => {
      queue = null
    },
  }
}
