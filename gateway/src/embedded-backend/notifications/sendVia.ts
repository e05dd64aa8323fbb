// Hands a message to a connection, with its credentials in place for as long as that takes.
import { CONNECTION_TYPES, type ConnectionTypeName } from '@watchroom/shared/settings/connections'

import { describeFailure } from '../../check-runner/describeFailure.ts'
import { collectSecrets, maskText } from '../../check-runner/maskOutcome.ts'
import { readConnection } from '../connections/readConnection.ts'
import type { Network } from '../outbound/createNetwork.ts'
import { toOpenedConnection } from '../outbound/openedConnection.ts'
import type { BackendContext } from '../server/context.ts'
import { createTaken } from './createTaken.ts'
import { NEVER, type Refusal, toRefusalOf } from './retry.ts'
import type { NotificationMessage } from './sender.ts'
import { type NotificationType, SENDERS } from './senders/index.ts'

/** Why a message was not taken: in words without credentials, and whether to try again. */
export class SendFailure extends Error {
  override readonly name = 'SendFailure'
  readonly refusal: Refusal

  constructor(message: string, refusal: Refusal) {
    super(message)
    this.refusal = refusal
  }
}

type Deps = Pick<BackendContext, 'pool' | 'vault' | 'clock'> & { readonly network: Network }

/** @throws SendFailure, and the errors of the database */
export async function sendVia(
  deps: Deps,
  connectionId: string,
  message: NotificationMessage,
  signal: AbortSignal,
): Promise<void> {
  const stored = await readConnection(deps, connectionId)
  if (stored === null) throw new SendFailure('the connection was deleted', NEVER)
  const { type, row, filled } = stored
  if (!isSender(type)) throw new SendFailure(`a connection of type ${type} sends no notifications`, NEVER)
  const now = deps.clock.now()
  try {
    const options = { signal, network: deps.network, now, taken: createTaken(deps.pool, message.idempotencyKey) }
    await SENDERS[type](toOpenedConnection(type, row), message, options)
  } catch (error) {
    if (signal.aborted) throw error
    const { password, certificate, properties, url } = row
    const secrets = collectSecrets({ password, secret: certificate, ...properties, url }, filled)
    throw new SendFailure(maskText(describeFailure(error), secrets), toRefusalOf(error, now))
  }
}

const isSender = (type: string): type is ConnectionTypeName & NotificationType =>
  Object.hasOwn(CONNECTION_TYPES, type) && Object.hasOwn(SENDERS, type)
