// Reads and writes the rows of one incident through the backend's REST API, as the service. Knows no documents.

import type { CommentRow, EvidenceRow, HypothesisRow, IncidentRows } from '@watchroom/shared/collab'
import { z } from 'zod'

import { SQL_STATE } from '../../../platform/database/sqlState.ts'
import { type BackendClient, BackendFailure } from '../../../platform/httpClient.ts'
import type { DocumentTables, RowWrite, WriteOutcome } from '../../documentKind.ts'
import { createRowMemory, type RowMemory } from '../../write-back/createRowMemory.ts'

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

const HypothesisRowSchema: z.ZodType<HypothesisRow> = z.object({
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

/** As it came: a large incident has thousands, and most are as they were when it was read before. */
interface RawRow {
  readonly id: string
}

const RawRowSchema = z.custom<RawRow>(isRow)
const RawHypothesisSchema = z.custom<RawRow & { readonly evidences: readonly RawRow[] }>(
  (value) => isRow(value) && 'evidences' in value && Array.isArray(value.evidences) && value.evidences.every(isRow),
)

function isRow(value: unknown): value is RawRow {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
}

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
    hypotheses: z.array(RawHypothesisSchema),
    comments: z.array(RawRowSchema),
  }),
)

/** `DocumentTables`, with rows of their own types. */
export interface IncidentTables extends Pick<DocumentTables, 'write'> {
  read(incidentId: string, memory?: RowMemory): Promise<IncidentRows | null>
}

export function createIncidentTables(backend: BackendClient): IncidentTables {
  return {
    read: async (incidentId, memory = createRowMemory()) => {
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
      const rows: IncidentRows = { incident, hypotheses: [], evidences: [], comments: [] }
      for (const { evidences, ...hypothesis } of hypotheses) {
        rows.hypotheses.push(memory.recall('hypotheses', hypothesis, HypothesisRowSchema))
        for (const evidence of evidences) rows.evidences.push(memory.recall('evidences', evidence, EvidenceRowSchema))
        await memory.rest()
      }
      for (const comment of comments) {
        rows.comments.push(memory.recall('comments', comment, CommentRowSchema))
        await memory.rest()
      }
      memory.forgetOthers()
      return rows
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
  const { code = '', message: detail = '' } = tryReadError(text)
  const answered = `the backend answered ${response.status}`
  const isPassing = response.status >= 500 || [401, 403, 408, 425, 429].includes(response.status)
  if (!isPassing)
    return { kind: 'refused', message: REFUSALS.get(code) ?? answered, detail: `${code} ${detail}`.trim() }
  const retryAfter = Number(response.headers['retry-after'])
  const retryAfterMs = Math.min(MAX_PAUSE_MS, retryAfter * 1000)
  return { kind: 'later', message: answered, ...(retryAfterMs > 0 ? { retryAfterMs } : {}) }
}

/**
 * What a database refuses, by its code (SQLSTATE). Its own words name tables, constraints and values, which say nothing to the
 * person whose edit it was and are nobody else's business.
 */
const REFUSALS: ReadonlyMap<string, string> = new Map<string, string>([
  [SQL_STATE.foreignKeyViolation, 'This refers to something that is no longer there'],
  [SQL_STATE.uniqueViolation, 'There is one like this already'],
  [SQL_STATE.notNullViolation, 'Something is missing that the records need'],
  [SQL_STATE.checkViolation, 'The records do not take one of its values'],
  [SQL_STATE.textTooLong, 'A text is longer than the records take'],
  [SQL_STATE.characterNotStorable, 'It holds characters that cannot be stored'],
  [SQL_STATE.invalidText, 'The records do not take one of its values'],
  [SQL_STATE.untranslatableCharacter, 'It holds characters that cannot be stored'],
])

const ErrorSchema = z.object({
  code: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
})

function tryReadError(text: string): z.infer<typeof ErrorSchema> {
  try {
    return ErrorSchema.catch({}).parse(JSON.parse(text))
  } catch {
    // Plain text or HTML: nothing anyone could use.
    return {}
  }
}
