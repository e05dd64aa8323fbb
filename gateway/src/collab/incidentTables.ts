// Reads and writes the rows of one incident through the backend's REST API, as the service. Knows no documents.

import type { CommentRow, EvidenceRow, HypothesisRow, IncidentRow, IncidentRows } from '@watchroom/shared/collab'
import { z } from 'zod'

import { type BackendClient, BackendFailure } from '../platform/httpClient.ts'

const TIMEOUT_MS = 10_000
/** A pause that a proxy asks for is kept up to here: a mistake in it must not keep rows from the backend for a day. */
const MAX_PAUSE_MS = 300_000

const id = z.string()
const optionalId = z
  .string()
  .nullish()
  .transform((value) => value ?? null)
const json = z
  .record(z.string(), z.unknown())
  .nullish()
  .catch(null)
  .transform((value) => value ?? null)
/** The backend may spell the same moment differently from one answer to the next. */
const moment = z.string().transform((value) => new Date(value).toISOString())

const EvidenceRowSchema: z.ZodType<EvidenceRow> = z.object({
  id,
  hypothesis_id: id,
  type: z.string(),
  description: z.string().catch(''),
  config_id: optionalId,
  config_change_id: optionalId,
  config_analysis_id: optionalId,
  component_id: optionalId,
  check_id: optionalId,
  evidence: json,
  properties: json,
  definition_of_done: z
    .boolean()
    .nullish()
    .transform((value) => value ?? false),
  done: z
    .boolean()
    .nullish()
    .transform((value) => value ?? null),
  script: z
    .string()
    .nullish()
    .transform((value) => value ?? null),
  created_by: id,
  created_at: moment,
})

const HypothesisRowSchema = z.object({
  id,
  parent_id: optionalId,
  type: z.string(),
  title: z.string(),
  status: z.string(),
  created_by: id,
  created_at: moment,
})

const CommentRowSchema: z.ZodType<CommentRow> = z.object({
  id,
  hypothesis_id: optionalId,
  comment: z.string(),
  created_by: id,
  created_at: moment,
  external_created_by: z
    .string()
    .nullish()
    .transform((value) => value ?? null),
  responder_id: optionalId,
})

const AnswerSchema = z.array(
  z.object({
    id,
    title: z.string(),
    description: z
      .string()
      .nullish()
      .transform((value) => value ?? ''),
    status: z.string(),
    // Other programs write these in other ways. Spelt alike here, they are neither unknown words nor changes to write back.
    severity: z.string().transform((severity) => severity.toLowerCase()),
    type: z.string().transform((type) => (type === 'technical_debt' ? 'technicalDebt' : type)),
    commander_id: optionalId,
    hypotheses: z.array(HypothesisRowSchema.extend({ evidences: z.array(EvidenceRowSchema) })),
    comments: z.array(CommentRowSchema),
  }),
)

export const ENTITIES = ['incidents', 'hypotheses', 'evidences', 'comments'] as const
export type Entity = (typeof ENTITIES)[number]
export type EntityRow = IncidentRow | HypothesisRow | EvidenceRow | CommentRow

/** One row to be made equal. `key` is the same for the same wish, so that a backend may recognise a repetition. */
export type RowWrite =
  | {
      readonly kind: 'insert'
      readonly entity: Entity
      readonly id: string
      readonly row: Record<string, unknown>
      readonly key: string
    }
  | {
      readonly kind: 'update'
      readonly entity: Entity
      readonly id: string
      readonly row: Record<string, unknown>
      readonly key: string
    }
  | { readonly kind: 'delete'; readonly entity: Entity; readonly id: string; readonly key: string }

export type WriteOutcome =
  | { readonly kind: 'written' }
  /** An update met no row: somebody removed it. */
  | { readonly kind: 'missing' }
  /** The backend will not take it as it is. */
  | { readonly kind: 'refused'; readonly message: string }
  /** Worth trying again; everything behind it waits. */
  | { readonly kind: 'later'; readonly message: string; readonly retryAfterMs?: number }

export interface IncidentTables {
  /** Null when there is no such incident. @throws BackendFailure, Error when the answer is not understood */
  read(incidentId: string): Promise<IncidentRows | null>
  /** @param actor person who made the change, for the backend's histories; null when nobody in particular did */
  write(incidentId: string, write: RowWrite, actor: string | null): Promise<WriteOutcome>
}

export function createIncidentTables(backend: BackendClient): IncidentTables {
  return {
    read: async (incidentId) => {
      const select = '*,hypotheses(*,evidences(*)),comments(*)'
      const response = await backend.request({
        path: `/db/incidents?id=eq.${incidentId}&select=${encodeURIComponent(select)}`,
        headers: { accept: 'application/json' },
        timeoutMs: TIMEOUT_MS,
      })
      if (response.status !== 200) {
        response.discard()
        throw new BackendFailure('broken', `reading an incident was answered with ${response.status}`)
      }
      const [found] = AnswerSchema.parse(await response.json())
      if (!found) return null
      const { hypotheses, comments, ...incident } = found
      return {
        incident,
        hypotheses: hypotheses.map(({ evidences: _, ...row }) => row),
        evidences: hypotheses.flatMap(({ evidences }) => evidences),
        comments,
      }
    },

    write: async (incidentId, write, actor) => {
      try {
        return await send(backend, incidentId, write, actor)
      } catch (error) {
        if (error instanceof BackendFailure) return { kind: 'later', message: error.message }
        throw error
      }
    },
  }
}

async function send(
  backend: BackendClient,
  incidentId: string,
  write: RowWrite,
  actor: string | null,
): Promise<WriteOutcome> {
  const one = `/db/${write.entity}?id=eq.${write.id}`
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'idempotency-key': write.key,
    // Our own backend believes it from us; others ignore it.
    ...(actor === null ? {} : { 'x-watchroom-actor': actor }),
  }
  const belongs = write.entity === 'hypotheses' || write.entity === 'comments' ? { incident_id: incidentId } : {}
  const response = await backend.request({
    timeoutMs: TIMEOUT_MS,
    ...(write.kind === 'insert'
      ? {
          method: 'POST',
          path: `/db/${write.entity}`,
          // Ids are made by us: a repeated insert meets its own row and changes nothing.
          headers: { ...headers, prefer: 'resolution=merge-duplicates,return=representation' },
          body: JSON.stringify({ ...write.row, ...belongs, id: write.id }),
        }
      : write.kind === 'update'
        ? {
            method: 'PATCH',
            path: one,
            headers: { ...headers, prefer: 'return=representation' },
            body: JSON.stringify(write.row),
          }
        : { method: 'DELETE', path: one, headers: { ...headers, prefer: 'return=minimal' } }),
  })
  const text = await response.text()
  if (response.status >= 200 && response.status < 300) {
    return write.kind === 'update' && text === '[]' ? { kind: 'missing' } : { kind: 'written' }
  }
  const message = messageOf(text) ?? `the backend answered ${response.status}`
  const isPassing = response.status >= 500 || [401, 403, 408, 425, 429].includes(response.status)
  if (!isPassing) return { kind: 'refused', message }
  const retryAfter = Number(response.headers['retry-after'])
  const retryAfterMs = Math.min(MAX_PAUSE_MS, retryAfter * 1000)
  return { kind: 'later', message, ...(retryAfterMs > 0 ? { retryAfterMs } : {}) }
}

function messageOf(text: string): string | null {
  try {
    const body = z.object({ message: z.string().optional(), error: z.string().optional() }).safeParse(JSON.parse(text))
    return body.success ? (body.data.message ?? body.data.error ?? null) : null
  } catch {
    // Plain text or HTML: nothing a person could use.
    return null
  }
}
