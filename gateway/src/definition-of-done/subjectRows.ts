// States of what evidence can be about, besides checks, read from the backend's rows.

import { z } from 'zod'

import { type BackendClient, BackendFailure } from '../platform/httpClient.ts'
import type { Subject } from './evaluateScript.ts'

const TIMEOUT_MS = 10_000

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')
const labels = z
  .record(z.string(), z.unknown())
  .nullish()
  .catch(null)
  .transform((value) =>
    Object.fromEntries(
      Object.entries(value ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  )
const moment = z
  .string()
  .nullish()
  .transform((value) => {
    const at = Date.parse(value ?? '')
    return Number.isNaN(at) ? null : at
  })

/**
 * Where each kind is read. A state is at least as old as the row is unchanged: an age is never overstated. What was deleted keeps
 * the row with its last state, which says nothing of now.
 */
const SOURCES = {
  component: {
    table: 'components',
    select: 'id,name,status,health,type,labels,since:updated_at',
    filter: '&deleted_at=is.null',
  },
  config: {
    table: 'configs',
    select: 'id,name,status,health,type,labels,since:updated_at',
    filter: '&deleted_at=is.null',
  },
  analysis: {
    table: 'config_analysis',
    select: 'id,name:analyzer,status,type:analysis_type,severity',
    filter: '',
  },
} as const

const RowSchema = z.object({
  id: z.string(),
  name: text,
  status: text,
  type: text,
  health: text,
  severity: text,
  labels,
  since: moment,
})

export type WantedSubjects = Readonly<Record<keyof typeof SOURCES, readonly string[]>>

export interface SubjectRows {
  /** Those that exist, by id. @throws BackendFailure, Error when the answer is not understood */
  read(wanted: WantedSubjects): Promise<Map<string, Subject>>
}

export function createSubjectRows(backend: BackendClient): SubjectRows {
  const readKind = async (kind: keyof typeof SOURCES, ids: readonly string[]): Promise<Subject[]> => {
    if (ids.length === 0) return []
    const { table, select, filter } = SOURCES[kind]
    const response = await backend.request({
      path: `/db/${table}?id=in.(${ids.join(',')})${filter}&select=${encodeURIComponent(select)}`,
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
    })
    if (response.status !== 200) {
      response.discard()
      throw new BackendFailure('broken', `reading ${table} was answered with ${response.status}`)
    }
    return z.array(RowSchema).parse(await response.json())
  }

  return {
    read: async (wanted) => {
      const kinds = Object.keys(SOURCES) as (keyof typeof SOURCES)[]
      const found = await Promise.all(kinds.map((kind) => readKind(kind, wanted[kind])))
      return new Map(found.flat().map((subject) => [subject.id, subject]))
    },
  }
}
