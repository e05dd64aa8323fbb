import { existsSync, readdirSync } from 'node:fs'

import { isTaken } from '../share.ts'

const ROOT = new URL('../../../', import.meta.url)

/** Files that start, kill and wait for processes for ten seconds to a minute each. Neighbors take about as long as each other. */
const INTEGRATION = [
  'tests/security/withdrawn.integration.test.ts',
  'tests/security/scopedLogs.integration.test.ts',
  'tests/gateway/agent/agent.integration.test.ts',
  'tests/gateway/main.integration.test.ts',
  'tests/gateway/definition-of-done/definitionOfDone.integration.test.ts',
  'tests/gateway/embedded-backend/demo/prepareHealthData.integration.test.ts',
  'tests/gateway/embedded-backend/supervisor/supervisor.integration.test.ts',
  'tests/gateway/embedded-backend/postgres/createPostgres.integration.test.ts',
  'tests/gateway/hosted/hosted.integration.test.ts',
  'tests/gateway/embedded-backend/agents/realAgents.integration.test.ts',
  'tests/gateway/topology-history/recorder.integration.test.ts',
  'tests/security/demo.integration.test.ts',
  'tests/gateway/agent/steps.integration.test.ts',
  'tests/gateway/agent/plainUpstream.integration.test.ts',
  'tests/gateway/collab/socket/hostile.integration.test.ts',
  'tests/gateway/embedded-backend/catalog/families/parseApart.integration.test.ts',
  'tests/gateway/hosted/embedded.integration.test.ts',
  'tests/gateway/collab/socket/slowReaders.integration.test.ts',
  'tests/gateway/embedded-backend/mail/createMailer.integration.test.ts',
  'tests/gateway/embedded-backend/demo/seedPlaybooks.integration.test.ts',
  'tests/gateway/agent/createQueue.integration.test.ts',
  'tests/gateway/embedded-backend/demo/seedNotifications.integration.test.ts',
]
/**
 * What is asked with every commit: who may what, what the backend's wire is, how documents and live topics come through, and
 * that a database of an older release is taken along. Of each attack a commit takes one of two, of the others one of five.
 */
const ALWAYS = [
  'tests/contract/',
  'tests/security/documents.',
  'tests/security/matrix.',
  'tests/security/shown.',
  'tests/gateway/app/',
  'tests/gateway/collab/',
  'tests/gateway/live/',
  'tests/gateway/proxy/',
  'tests/gateway/embedded-backend/schema/',
]
/** What is acknowledged being kept (collab.test.ts) is asked with every commit. */
const FAULT = [
  'tests/fault/embedded-backend.test.ts',
  'tests/fault/notifications.test.ts',
  'tests/fault/collabBackend.test.ts',
  'tests/fault/scrapes.test.ts',
  'tests/fault/playbooks.test.ts',
  'tests/fault/topologyHistory.test.ts',
  'tests/fault/topologies.test.ts',
  'tests/fault/agentPush.test.ts',
  'tests/fault/playbookGateway.test.ts',
]

/** Of how many commits one takes a file. All of `web` are read in a minute or two by hand: `npm run test:unit`. */
const PARTS = { web: 3, integration: 7, security: 2, others: 5, fault: 9 } as const

/**
 * What a run leaves to those of other commits.
 *
 * @throws {Error} when a file was moved, which would then be taken always
 */
export function findLeftOut(project: 'web' | 'integration' | 'fault'): string[] {
  if (project === 'web')
    return leaveOut(
      findTests((file) => file.startsWith('tests/web/')),
      PARTS.web,
    )
  const files = project === 'fault' ? FAULT : INTEGRATION
  const missing = files.find((file) => !existsSync(new URL(file, ROOT)))
  if (missing) throw new Error(`${missing} is not there: put its new path into takenInTurn.ts`)
  const known = new Set(files)
  if (project === 'fault') return leaveOut(files, PARTS.fault)
  const inTurn = findTests(
    (file) =>
      file.endsWith('.integration.test.ts') && !known.has(file) && !ALWAYS.some((start) => file.startsWith(start)),
  )
  const isAttack = (file: string): boolean => file.startsWith('tests/security/')
  return [
    ...leaveOut(files, PARTS.integration),
    ...leaveOut(inTurn.filter(isAttack), PARTS.security),
    ...leaveOut(
      inTurn.filter((file) => !isAttack(file)),
      PARTS.others,
    ),
  ]
}

const leaveOut = (files: readonly string[], parts: number): string[] =>
  files.filter((_, index) => !isTaken(index, parts))

function findTests(isMeant: (file: string) => boolean): string[] {
  return readdirSync(new URL('tests', ROOT), { recursive: true, encoding: 'utf8' })
    .map((file) => `tests/${file}`)
    .filter((file) => /\.test\.tsx?$/.test(file) && isMeant(file))
    .toSorted()
}
