// People who type into one incident, in a process of their own, so that their work is not counted as the gateway's. Not part of
// the product; only `npm run bench room` starts it.
import { rootOf } from '@watchroom/shared/collab'
import * as Y from 'yjs'

import { type BenchClient, openBenchClient } from './benchClient.ts'
import { until } from './processes.ts'

export interface TypistsTask {
  readonly url: string
  readonly incidentId: string
  readonly people: readonly { readonly id: string; readonly session: string }[]
  readonly hypothesisIds: readonly string[]
  readonly commentIds: readonly string[]
  /** Between two letters of one person. */
  readonly keyEveryMs: number
}

export type TypistsCommand = { kind: 'open'; task: TypistsTask } | { kind: 'start' } | { kind: 'stop' }
/** Answer to each command; what typing came to, since the last one. */
export interface TypistsReport {
  /** Milliseconds from a letter to its durable acknowledgement. */
  readonly ackMs: readonly number[]
  /** People whose socket the gateway ended, and edits that it refused: none of either is expected. */
  readonly closed: number
  readonly refused: number
}

const SYNC_MS = 60_000

const clients: BenchClient[] = []
let typing: (() => void)[] = []
let timers: NodeJS.Timeout[] = []
let keyEveryMs = 0

async function open(task: TypistsTask): Promise<void> {
  keyEveryMs = task.keyEveryMs
  for (const { session } of task.people) {
    const client = openBenchClient({
      url: `${task.url.replace('http', 'ws')}/collab/incident/${task.incidentId}`,
      headers: { cookie: `ory_kratos_session=${session}`, origin: task.url },
      prefix: null,
    })
    await until(client.isSynced, { what: 'sync of a typist', maxMs: SYNC_MS })
    clients.push(client)
  }
  typing = clients.map((client, index) => toTyping(client, task, index))
}

function start(): void {
  timers = typing.map((type, index) =>
    // Nobody strikes keys at the same moment as all others.
    setTimeout(
      () => {
        type()
        timers[index] = setInterval(type, keyEveryMs - 20 + (index % 40))
      },
      (index / typing.length) * keyEveryMs,
    ),
  )
}

function stop(): void {
  for (const timer of timers) clearTimeout(timer)
  timers = []
}

/** Each types into a text of their own, half of them into titles, half into comments, and says where their caret is. */
function toTyping(client: BenchClient, task: TypistsTask, index: number): () => void {
  const isTitle = index % 2 === 0
  // From the top of what is on screen down to what nobody sees.
  const ids = isTitle ? task.hypothesisIds : task.commentIds
  const id = ids[Math.floor((index / task.people.length) * ids.length)] ?? ''
  const [root, field] = isTitle ? (['hypotheses', 'title'] as const) : (['comments', 'body'] as const)
  let strokes = 0
  return () => {
    strokes += 1
    client.write((doc) => {
      const text = (rootOf(doc, root).get(id) as Y.Map<unknown>).get(field)
      if (!(text instanceof Y.Text)) throw new Error(`no ${field} of ${id}`)
      // A line is written and taken back, so that texts stay as long as they are.
      if (strokes % 40 < 20) text.insert(text.length, 'x')
      else text.delete(text.length - 1, 1)
    })
    client.announce(strokes, {
      user: { id: task.people[index]?.id, name: `Person ${index}`, avatar: null },
      presence: 'active',
      canWrite: true,
      typing: true,
      viewing: { entity: `${root}/${id}` },
      editing: { entity: `${root}/${id}`, field, anchor: '', head: '' },
    })
  }
}

function report(): TypistsReport {
  return {
    ackMs: clients.flatMap(({ ackLatencies }) => ackLatencies.splice(0)),
    closed: clients.filter((client) => client.closed() !== null).length,
    refused: clients.reduce((sum, client) => sum + client.rejections(), 0),
  }
}

async function obey(command: TypistsCommand): Promise<void> {
  if (command.kind === 'open') await open(command.task)
  else if (command.kind === 'start') start()
  else stop()
  process.send?.(report())
}

process.on('message', (command: TypistsCommand) => void obey(command))
// A bench that dies takes the people along.
process.on('disconnect', () => process.exit(1))
