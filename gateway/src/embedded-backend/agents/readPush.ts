// Reads a push row by row: what cannot be kept is refused by name, and the others are kept.
import {
  PushedCanarySchema,
  PushedCheckSchema,
  PushedResultSchema,
  PushFrameSchema,
  type PushSchema,
  type RefusedRow,
} from '@watchroom/shared/agents/upstream'
import { findExcess } from '@watchroom/shared/health/check-types'
import { describeUnstorable, failed, ok, ownValue, type Result, toStorable } from '@watchroom/shared/kernel'
import type { z } from 'zod'

import { describeIssues } from '../../platform/http/requestFault.ts'

export type ParsedPush = z.output<typeof PushSchema>

export interface ReadPush {
  readonly push: ParsedPush
  readonly refused: readonly RefusedRow[]
}

const MAX_REASON_LENGTH = 300
const MAX_NAME_LENGTH = 200

/** @returns what is wrong, when nothing of the push can be kept */
export function readPush(body: unknown): Result<ReadPush, string> {
  const frame = PushFrameSchema.safeParse(body)
  if (!frame.success) return failed(describeIssues(frame.error))
  const refused: RefusedRow[] = []

  function readRows<Row>(
    table: RefusedRow['table'],
    rows: readonly unknown[] | null | undefined,
    schema: z.ZodType<Row>,
    findFault: (row: Row) => string | null,
  ): Row[] | undefined {
    return rows?.flatMap((given) => {
      const row = schema.safeParse(given)
      const reason = row.success ? findFault(row.data) : describeIssues(row.error)
      if (row.success && reason === null) return [row.data]
      refused.push({ table, ...nameOf(table, given), reason: (reason ?? '').slice(0, MAX_REASON_LENGTH) })
      return []
    })
  }

  const { canaries, checks, check_statuses: results, ...rest } = frame.data
  const push: ParsedPush = {
    ...rest,
    canaries: readRows(
      'canaries',
      canaries,
      PushedCanarySchema,
      (row) => describeUnstorable(row) ?? describeExcess(row.spec),
    ),
    checks: readRows('checks', checks, PushedCheckSchema, (row) => describeUnstorable(row)),
    // What a result tells may be the output of any program: what the database cannot hold is replaced in it.
    check_statuses: readRows('check_statuses', results, PushedResultSchema, () => null),
  }
  const isEmpty = [push.canaries, push.checks, push.check_statuses].every((rows) => (rows ?? []).length === 0)
  if (refused.length > 0 && isEmpty && !push.live) {
    return failed(refused.map(({ table, name, id, reason }) => `${table} ${name ?? id}: ${reason}`).join('; '))
  }
  return ok({ push, refused })
}

function describeExcess(spec: object): string | null {
  const excess = findExcess(spec)
  return excess && `spec.${excess.path}: ${excess.message}`
}

function nameOf(table: RefusedRow['table'], row: unknown): Pick<RefusedRow, 'id' | 'name'> {
  const fields = typeof row === 'object' && row !== null ? (row as Readonly<Record<string, unknown>>) : {}
  const text = (key: string): string | null => {
    const value = ownValue(fields, key)
    return typeof value === 'string' ? toStorable(value).slice(0, MAX_NAME_LENGTH) : null
  }
  return { id: text(table === 'check_statuses' ? 'check_id' : 'id') ?? 'without an id', name: text('name') }
}
