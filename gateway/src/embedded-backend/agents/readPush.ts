// Reads a push row by row: what cannot be kept is refused by name, and the others are kept.
import {
  PUSHED_KINDS,
  PushedCanarySchema,
  PushedCheckSchema,
  type PushedKind,
  PushedResultSchema,
  PushFrameSchema,
} from '@watchroom/shared/agents/upstream'
import { findExcess } from '@watchroom/shared/health/check-types'
import { describeUnstorable, failed, ok, type Result } from '@watchroom/shared/kernel'
import { ACTION_STATUSES } from '@watchroom/shared/playbooks'
import { z } from 'zod'

import { describeIssues } from '../../platform/http/requestFault.ts'
import { isTooDeep, MAX_JSON_DEPTH } from '../../platform/jsonDepth.ts'
import type { PushedRow } from './pushKinds.ts'

export type PushFrame = z.output<typeof PushFrameSchema>

export interface ReadPush {
  readonly frame: PushFrame
  /** Of each kind, those that can be read. */
  readonly rows: Readonly<Record<PushedKind, readonly PushedRow[]>>
  readonly refused: readonly UnreadRow[]
}

export interface UnreadRow {
  readonly kind: PushedKind
  readonly row: PushedRow
  readonly reason: string
}

interface RowReader {
  readonly schema: z.ZodType<PushedRow>
  readonly findFault?: (row: PushedRow) => string | null
}

type Readers = Partial<Record<PushedKind, RowReader>>

/** Kinds that the product itself reads, every second; of all others the tables say what they take. */
const READERS: Readers = {
  canaries: {
    schema: PushedCanarySchema,
    findFault: (row) => describeUnstorable(row) ?? describeExcess(row.spec as object),
  },
  checks: { schema: PushedCheckSchema, findFault: describeUnstorable },
  // What a result tells may be the output of any program: what the database cannot hold is replaced in it.
  check_statuses: { schema: PushedResultSchema },
  // A run would wait for ever for a step whose word nobody knows.
  playbook_actions: { schema: z.looseObject({ status: z.enum(ACTION_STATUSES) }) },
}
const ANY_ROW: RowReader = { schema: z.record(z.string(), z.unknown()) }

const KNOWN_KEYS: ReadonlySet<string> = new Set(Object.keys(PushFrameSchema.shape))

/**
 * @param body as it came
 * @param readers of a deletion none: it names rows, and need not have the rest of them
 * @returns what is wrong, when nothing of the push can be kept
 */
export function readPush(body: unknown, readers: Readers = READERS): Result<ReadPush, string> {
  const json = readJson(body)
  if (!json.ok) return json
  const frame = PushFrameSchema.safeParse(json.value)
  if (!frame.success) return failed(describeIssues(frame.error))
  const unknown = Object.keys(frame.data).filter((key) => !KNOWN_KEYS.has(key) && !isNothing(frame.data[key]))
  if (unknown.length > 0) return failed(`rows of this kind are not kept here: ${unknown.join(', ')}`)
  const refused: UnreadRow[] = []
  const rows = Object.fromEntries(
    PUSHED_KINDS.map((kind) => [
      kind,
      (frame.data[kind] ?? []).flatMap((given) =>
        readRow(kind, toColumnNames(kind, given), readers[kind] ?? ANY_ROW, refused),
      ),
    ]),
  ) as Record<PushedKind, PushedRow[]>
  return ok({ frame: frame.data, rows, refused })
}

/** Kinds some of whose columns an agent of the real product calls as its program does: `ID`, `ResourceType`. */
const NAMED_BY_PROGRAM: ReadonlySet<PushedKind> = new Set(['topologies', 'job_history'])

function toColumnNames(kind: PushedKind, given: unknown): unknown {
  const row = NAMED_BY_PROGRAM.has(kind) ? ANY_ROW.schema.safeParse(given).data : undefined
  if (row === undefined) return given
  const toColumn = (name: string): string =>
    /^[A-Z]/.test(name) ? name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase() : name
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [toColumn(name), value]))
}

function readRow(
  kind: PushedKind,
  given: unknown,
  { schema, findFault }: RowReader,
  refused: UnreadRow[],
): PushedRow[] {
  const row = schema.safeParse(given)
  const reason = row.success ? (findFault?.(row.data) ?? null) : describeIssues(row.error)
  if (row.success && reason === null) return [row.data]
  refused.push({ kind, row: ANY_ROW.schema.safeParse(given).data ?? {}, reason: reason ?? '' })
  return []
}

/** Agents of the real product do not say what they send; it is JSON. */
export function readJson(body: unknown): Result<unknown, string> {
  if (!(body instanceof Buffer) || body.length === 0) return failed('there is no body')
  if (isTooDeep(body)) return failed(`the body nests deeper than ${MAX_JSON_DEPTH} levels`)
  try {
    return ok(JSON.parse(body.toString()))
  } catch (error) {
    return failed(error instanceof Error ? error.message : 'no JSON')
  }
}

const isNothing = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

function describeExcess(spec: object): string | null {
  const excess = findExcess(spec)
  return excess && `spec.${excess.path}: ${excess.message}`
}
