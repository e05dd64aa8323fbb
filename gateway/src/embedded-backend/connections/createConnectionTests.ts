// Tries a connection once: it connects, or sends one message that says it is a test. Everything about it is bounded, and
// nothing that is reported holds a credential.
import { randomUUID } from 'node:crypto'

import { failed, ok, type Result } from '@watchroom/shared/kernel'
import { CONNECTION_TYPES, type ConnectionRow, type ConnectionTypeName } from '@watchroom/shared/settings/connections'

import { describeFailure } from '../../check-runner/describeFailure.ts'
import type { FolderRules } from '../../check-runner/folderRules.ts'
import { collectSecrets, maskText } from '../../check-runner/maskOutcome.ts'
import { raceDeadline } from '../../platform/withDeadline.ts'
import { createTrialGate } from '../jobs/createTrialGate.ts'
import { NOBODY_YET } from '../notifications/sender.ts'
import { SENDERS } from '../notifications/senders/index.ts'
import { createNetwork, type Network } from '../outbound/createNetwork.ts'
import { toOpenedConnection } from '../outbound/openedConnection.ts'
import { OutboundFault } from '../outbound/outboundFault.ts'
import type { BackendContext } from '../server/context.ts'
import { TESTERS } from './testers/index.ts'

const MAX_TEST_MS = 10_000
/** Of the whole backend. */
const MAX_RUNNING = 4

export type TestVerdict =
  | { readonly outcome: 'ok' }
  | { readonly outcome: 'failed'; readonly message: string }
  | { readonly outcome: 'unsupported' }

export interface ConnectionTests {
  /**
   * @param personId one test at a time each
   * @param filled credentials of the row that were stored
   * @returns why nothing was tried
   */
  run(
    personId: string,
    tried: { readonly type: string; readonly row: ConnectionRow; readonly filled: readonly string[] },
    signal: AbortSignal,
  ): Promise<Result<TestVerdict, string>>
}

interface Deps extends Pick<BackendContext, 'clock' | 'logger'> {
  readonly network?: Network
  readonly folders: FolderRules
}

export function createConnectionTests({ network = createNetwork(), ...rest }: Deps): ConnectionTests {
  const deps = { ...rest, network }
  const { clock } = deps
  const gate = createTrialGate({ maxTrials: MAX_RUNNING, doing: 'testing connections', noun: 'test' })

  async function tryOnce(type: ConnectionTypeName, row: ConnectionRow, signal: AbortSignal): Promise<void> {
    const connection = toOpenedConnection(type, row)
    const options = { ...deps, signal }
    if (isTester(type)) return TESTERS[type](connection, options)
    if (isSender(type))
      await SENDERS[type](connection, testMessage(), { ...options, now: clock.now(), taken: NOBODY_YET })
  }

  async function judge(type: ConnectionTypeName, row: ConnectionRow, gone: AbortSignal): Promise<TestVerdict> {
    const toReason = (): Error => new OutboundFault(`there was no answer within ${MAX_TEST_MS / 1_000} s`)
    try {
      await raceDeadline({ clock, limitMs: MAX_TEST_MS, signal: gone, toReason }, (signal) =>
        tryOnce(type, row, signal),
      )
      return { outcome: 'ok' }
    } catch (error) {
      deps.logger.debug({ type, failure: error instanceof Error ? error.name : 'unknown' }, 'connection test failed')
      return { outcome: 'failed', message: gone.aborted ? 'the test was given up' : describeFailure(error) }
    }
  }

  return {
    run: async (personId, { type, row, filled }, signal) => {
      if (!isKnown(type) || CONNECTION_TYPES[type].test === null) return ok({ outcome: 'unsupported' })
      const tried = await gate.run(personId, signal, async () => ok(await judge(type, row, signal)))
      if (!tried.ok) return failed(tried.error.message)
      const verdict = tried.value
      if (verdict.outcome !== 'failed') return ok(verdict)
      const secrets = collectSecrets(credentialsOf(row), filled)
      return ok({ ...verdict, message: maskText(verdict.message, secrets) })
    },
  }
}

const isKnown = (type: string): type is ConnectionTypeName => Object.hasOwn(CONNECTION_TYPES, type)
const isTester = (type: ConnectionTypeName): type is keyof typeof TESTERS => Object.hasOwn(TESTERS, type)
const isSender = (type: ConnectionTypeName): type is keyof typeof SENDERS => Object.hasOwn(SENDERS, type)

const testMessage = () => ({
  title: 'Test message from Watchroom',
  text: 'Someone is testing this connection. Nothing has happened, and there is nothing to do.',
  idempotencyKey: randomUUID(),
})

/** As they were entered; what was stored comes beside them. */
const credentialsOf = ({ username, password, certificate, properties, url }: ConnectionRow): unknown => ({
  username,
  password,
  secret: certificate,
  ...properties,
  url,
})
