// An incident as it looks after a long night, made by the doors that programs use.
import { randomUUID } from 'node:crypto'

import type { TestBackend } from './embeddedBackend.ts'
import { callTable, createIncident } from './incidentGateway.ts'

export interface IncidentSize {
  /** The root is one of them. */
  readonly hypotheses: number
  readonly comments: number
  readonly evidence: number
}

export interface SeededIncident {
  readonly id: string
  /** In the order of the tree. */
  readonly hypothesisIds: readonly string[]
  /** Oldest first. */
  readonly commentIds: readonly string[]
}

/** Children of one hypothesis: wide enough to need scrolling, deep enough to be a tree. */
const CHILDREN = 6
/** Rows in one question to PostgREST. */
const BATCH = 500

const SENTENCES = [
  'The queue grows by 400 a minute since the deploy at 02:10.',
  'Rolled the printer pool back to the image of yesterday, no change in hall 3.\nHall 4 recovered on its own.',
  'Latency of the label service is fine from the gateway, so it is not the network between the two.',
  'Looking.',
]

/** Fills one incident with a tree, comments spread over it and evidence of several kinds. */
export async function seedLargeIncident(
  backend: TestBackend,
  authorId: string,
  size: IncidentSize,
): Promise<SeededIncident> {
  const { id, rootId } = await createIncident(backend, authorId)
  const startedAt = Date.now() - 86_400_000
  const at = (index: number): string => new Date(startedAt + index * 1_000).toISOString()
  const hypothesisIds = [rootId, ...Array.from({ length: size.hypotheses - 1 }, () => randomUUID())]
  const pick = (index: number): string => hypothesisIds[index % hypothesisIds.length] ?? rootId
  const commentIds = Array.from({ length: size.comments }, () => randomUUID())
  const [check] = await callTable(backend, 'checks?select=id&limit=1')

  const insert = async (table: string, rows: readonly Record<string, unknown>[]): Promise<void> => {
    for (let from = 0; from < rows.length; from += BATCH) {
      await callTable(backend, table, { method: 'POST', body: rows.slice(from, from + BATCH) })
    }
  }
  await insert(
    'hypotheses',
    hypothesisIds.slice(1).map((hypothesisId, index) => ({
      id: hypothesisId,
      incident_id: id,
      parent_id: hypothesisIds[Math.floor(index / CHILDREN)],
      type: 'factor',
      status: index % 3 === 0 ? 'likely' : 'possible',
      title: `Cause ${index + 2} of the stalled labels`,
      created_by: authorId,
      created_at: at(index),
    })),
  )
  await insert(
    'comments',
    commentIds.map((commentId, index) => ({
      id: commentId,
      incident_id: id,
      hypothesis_id: pick(index),
      comment: `${index + 1}. ${SENTENCES[index % SENTENCES.length] ?? ''}`,
      created_by: authorId,
      created_at: at(index),
    })),
  )
  await insert(
    'evidences',
    Array.from({ length: size.evidence }, (_, index) => ({
      id: randomUUID(),
      hypothesis_id: pick(index),
      created_by: authorId,
      created_at: at(index),
      definition_of_done: index % 20 === 0,
      check_id: null,
      ...toEvidence(index, check?.['id']),
    })),
  )
  return { id, hypothesisIds, commentIds }
}

function toEvidence(index: number, checkId: unknown): Record<string, unknown> {
  switch (index % 4) {
    case 0:
      return { type: 'comment', description: `Condition ${index}`, evidence: { comment: `Condition ${index}` } }
    case 1:
      return { type: 'check', description: `Check ${index}`, check_id: checkId, evidence: { includeMessages: true } }
    case 2: {
      const lines = Array.from({ length: 20 }, (_, line) => ({
        timestamp: new Date(index * 1_000).toISOString(),
        message: `printer ${line} answered 503 after 30 s`,
        labels: { pod: `printer-${line}` },
      }))
      return { type: 'log', description: `Log ${index}`, evidence: { lines } }
    }
    default: {
      const lines = Object.fromEntries(Array.from({ length: 30 }, (_, line) => [line + 1, `replicas: ${line}`]))
      const evidence = { lines, selected_lines: { 12: 'replicas: 11' }, configName: 'printer-pool', configType: 'k8s' }
      return { type: 'config', description: `Config ${index}`, evidence }
    }
  }
}
