// Playbooks as one part of the backend: who asks for runs, who runs them, and what starts them by itself.
import { z } from 'zod'

import { type LookUp, lookApart } from '../../check-runner/lookApart.ts'
import type { Executor } from '../../executor/contract.ts'
import type { Seal } from '../../platform/createSeal.ts'
import { createKeySetVerifier, type KeySetVerifier } from '../../platform/createTokenVerifier.ts'
import { createCheckOpener } from '../checks/createCheckOpener.ts'
import type { EventHandler } from '../jobs/createEventConsumer.ts'
import type { Mailer } from '../mail/createMailer.ts'
import { sendVia } from '../notifications/sendVia.ts'
import { createNetwork } from '../outbound/createNetwork.ts'
import { fetchVia } from '../outbound/fetchVia.ts'
import type { BackendContext } from '../server/context.ts'
import type { JudgeRow } from '../server/judgeWrite.ts'
import { findUnable } from './approvals.ts'
import { type AgentWaits, createAgentWaits } from './createAgentWaits.ts'
import { createRunDecisions, type RunDecisions } from './createRunDecisions.ts'
import { createRunner } from './createRunner.ts'
import { createRuns, type Runs } from './createRuns.ts'
import { createTriggers } from './createTriggers.ts'
import { createPlaybookJudge } from './judgePlaybook.ts'
import { createRunStore } from './runStore.ts'
import { type AgentTask, takeForAgent } from './takeForAgent.ts'

export interface Playbooks extends AgentWaits {
  readonly runs: Runs
  readonly decisions: RunDecisions
  readonly lookUp: LookUp
  /** Of webhooks, whose keys are wherever an editor says. */
  readonly callers: KeySetVerifier
  /** Of what is written to `playbooks`. */
  readonly judge: JudgeRow
  /** By the name of the event. */
  readonly eventHandlers: ReadonlyMap<string, EventHandler>
  /** The next step that an agent is to do. */
  takeForAgent(agentId: string): Promise<AgentTask | null>
  start(): void
  /** Ends what runs; the next start goes on with it. Needs the database. */
  close(): Promise<void>
}

const SecretsSchema = z.record(z.string(), z.string())

export function createPlaybooks(
  context: BackendContext,
  { executor, mailer, seal }: { executor: Executor; mailer: Mailer; seal: Seal },
): Playbooks {
  const { pool, channels, clock, vault } = context
  const logger = context.logger.child({ part: 'playbooks' })
  const closing = new AbortController()
  const lookUp = lookApart
  const decisions = createRunDecisions(pool)
  const runs = createRuns({ pool, seal, lookUp, decisions })
  const triggers = createTriggers({ pool, clock, logger, runs, lookUp })
  const store = createRunStore({ pool, clock, signal: closing.signal })
  const network = createNetwork()
  const opener = createCheckOpener({ pool, vault, clock, network })
  const runner = createRunner({
    pool,
    channels,
    clock,
    logger,
    vault,
    executor,
    wayOut: network,
    mailer,
    sendVia: (id, message, signal) => sendVia({ ...context, network }, id, message, signal),
    lookUp,
    // Reads only: nothing of the step was done yet.
    opener: { open: (check) => store.whileAway(() => opener.open(check)) },
    store,
    openSealed: (sealed) => SecretsSchema.parse(JSON.parse(seal.open(sealed))),
    onLead: (isLeading) => triggers.setLeading(isLeading),
  })
  return {
    runs,
    decisions,
    lookUp,
    callers: createKeySetVerifier(fetchVia(network)),
    judge: createPlaybookJudge({ lookUp, findUnable: (approval) => findUnable(pool, approval) }),
    eventHandlers: triggers.handlers,
    ...createAgentWaits({ pool, clock, logger }),
    takeForAgent: (agentId) => takeForAgent(pool, store, agentId),
    start: () => runner.start(),
    close: async () => {
      triggers.close()
      closing.abort()
      await runner.close()
    },
  }
}
