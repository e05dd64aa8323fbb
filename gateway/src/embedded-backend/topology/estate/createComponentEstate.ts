// Keeps the estate in memory as the database has it: follows what is told, reads only what changed, and writes back what became
// different. Knows nothing of HTTP.
import { randomBytes } from 'node:crypto'

import { waitAtMost } from '@watchroom/shared/kernel'
import type { Estate } from '@watchroom/shared/topology'

import { type LookUp, lookApart } from '../../../check-runner/lookApart.ts'
import { createPasses, type Passes } from '../../checks/createPasses.ts'
import type { Job } from '../../jobs/job.ts'
import type { ChannelListener } from '../../postgres/createChannels.ts'
import type { BackendContext } from '../../server/context.ts'
import { createChangeLog, type Page } from './createChangeLog.ts'
import { createEstateMemory, type Difference } from './createEstateMemory.ts'
import { createPageMemory, type PageRows } from './createPageMemory.ts'
import { createReread } from './createReread.ts'
import { createVerdicts } from './createVerdicts.ts'
import { createWriteBack } from './createWriteBack.ts'
import { toEstateJobs } from './jobs.ts'
import { createTouchedReader, readComponents, readTeams } from './readComponents.ts'
import { createTouched } from './touched.ts'

export interface ComponentEstate {
  /** Reads everything, and follows from then on. */
  start(): Promise<void>
  close(): Promise<void>
  /** The estate with all that was committed before the call. Rejects while the database is away. */
  read(): Promise<EstateView>
  /** The safety nets. */
  readonly jobs: readonly Job[]
}

/** Good until the next turn of the event loop. */
export interface EstateView extends Estate {
  readonly cursor: string
  isDifferent(cursor: string, page: Page): boolean
  /** Null where only a read of everything tells. */
  changedSince(cursor: string): ReadonlySet<string> | null
  /** @param id of the component whose page it is; empty for those at the top */
  readPage(id: string, since: string | undefined): PageRows
}

const CHANNEL = 'watchroom_estate'
/** What changes together is read together. Whoever asks does not wait for it, and reads for all. */
const FOLLOW_DELAY_MS = 100
/** Finds what nobody told. */
const REREAD_MS = 5 * 60_000
/** How long a reader waits for what expressions say; after that it sees what they said before. */
const JUDGED_WITHIN_MS = 1_500

type Deps = Pick<BackendContext, 'pool' | 'channels' | 'clock' | 'logger'>

export function createComponentEstate(context: Deps, lookUp: LookUp = lookApart): ComponentEstate {
  const { pool, channels, clock } = context
  const logger = context.logger.child({ part: 'topology' })
  const newPasses = (): Passes => createPasses({ clock, logger })
  const [passes, rereads] = [newPasses(), newPasses()]
  const log = createChangeLog(randomBytes(6).toString('hex'))
  const verdicts = createVerdicts(lookUp)
  const memory = createEstateMemory(verdicts)
  const pages = createPageMemory(log)
  const { rows, graph } = memory.estate
  const touched = createTouched()
  /** Since the read that is under way, or the last one, began. */
  const writtenMeanwhile = new Set<string>()
  const reader = createTouchedReader(pool)
  let teams: Estate['teams'] = new Map()
  let judging: Promise<void> | null = null
  let followedAt = -Infinity
  let listener: ChannelListener | null = null

  const note = (difference: Difference): void => {
    log.note(difference)
    if (verdicts.waiting.size > 0) {
      judging ??= judgeWaiting().finally(() => {
        judging = null
      })
    }
    if (memory.hasUnwritten) writeBack.plan()
  }

  const noteRead = (ids: Iterable<string> | 'all'): void => {
    if (ids === 'all') reader.planAnew()
    reread.overtake(ids)
  }

  /** Reads what changed, if anything did. */
  const follow = async (): Promise<void> => {
    const wanted = touched.take()
    if (wanted === null) return
    followedAt = clock.monotonic()
    writtenMeanwhile.clear()
    try {
      const found = await (wanted === 'all' ? readComponents(pool) : reader.read(wanted))
      if (wanted === 'all') teams = await readTeams(pool)
      const there = new Set(found.map(({ row }) => row.id))
      const meant = wanted === 'all' ? [...rows.keys()] : wanted.components.filter((id) => rows.has(id))
      const gone = meant.filter((id) => !there.has(id))
      noteRead(wanted === 'all' ? wanted : [...there, ...wanted.components])
      note(memory.apply(found, gone))
      readAgain([...writtenMeanwhile].filter((id) => there.has(id)))
    } catch (error) {
      touched.addAll()
      throw error
    }
  }
  const reread = createReread({
    pool,
    passes,
    known: rows,
    apply: (found, gone) => note(memory.apply(found, gone)),
  })
  /** One after the other: what one finds another one may have found already. */
  const rereadInTurn = (): Promise<void> =>
    rereads.inTurn(async () => {
      await passes.inTurn(async () => {
        teams = await readTeams(pool)
      })
      await reread.run()
      reader.planAnew()
    })
  const planFollow = passes.soonOnce('reading of components', FOLLOW_DELAY_MS, async () => {
    // What came since somebody asked waits as long as what comes when nobody does.
    if (clock.monotonic() - followedAt < FOLLOW_DELAY_MS) planFollow()
    else await follow()
  })

  const judgeWaiting = async (): Promise<void> => {
    while (verdicts.waiting.size > 0 && !passes.isClosed()) {
      const judged = await verdicts.ask()
      await passes.inTurn(async () => note(memory.judgeAgain(judged)))
    }
    if (memory.hasUnwritten) writeBack.plan()
  }

  /** The answer about them may be older than what was written. */
  const readAgain = (ids: readonly string[]): void => {
    for (const id of ids) touched.add(`component:${id}`)
    if (ids.length > 0) planFollow()
  }

  const writeBack = createWriteBack({
    pool,
    memory,
    passes: newPasses(),
    onWritten: (ids) => {
      for (const id of ids) writtenMeanwhile.add(id)
      noteRead(ids)
    },
  })

  const listen = (): ChannelListener =>
    channels.listen({
      channel: CHANNEL,
      onNotification: (payload) => {
        touched.add(payload)
        planFollow()
      },
      onConnected: () => {
        touched.addAll()
        planFollow()
      },
    })

  return {
    start: async () => {
      listener = listen()
      touched.addAll()
      await passes.inTurn(follow)
      rereads.repeat('reading of all components', REREAD_MS, rereadInTurn)
    },
    close: async () => {
      listener?.close()
      await Promise.all([rereads.close(), passes.close()])
      await writeBack.close()
      reader.close()
    },
    read: async () => {
      if (!(await listener?.hasHeard())) touched.addAll()
      await passes.inTurn(follow)
      if (judging) await waitAtMost(clock, judging, JUDGED_WITHIN_MS)
      return {
        rows,
        graph,
        teams,
        cursor: log.cursor(),
        changedSince: (cursor) => log.changedSince(cursor),
        isDifferent: (cursor, page) => log.isDifferent(cursor, page, graph.edges),
        readPage: (id, since) => pages.read({ rows, graph, teams }, id, since),
      }
    },
    jobs: toEstateJobs(async () => {
      await rereadInTurn()
      await judging
      return writeBack.run()
    }),
  }
}
