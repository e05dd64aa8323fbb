import { z } from 'zod'

import { lockKey } from '../../platform/database/advisoryLocks.ts'

/** A rule as the pipeline reads it; what people or other servers wrote in another form counts as absent. */
const RuleSchema = z.object({
  id: z.string(),
  name: z.string(),
  title: z.string().nullable(),
  filter: z.string().nullable(),
  template: z.string().nullable(),
  person_id: z.string().nullable(),
  team_id: z.string().nullable(),
  custom_services: z.unknown(),
  properties: z.record(z.string(), z.unknown()).nullable().catch(null),
  events: z.array(z.string()).catch([]),
  repeat_interval: z.string().nullable(),
  /** Nanoseconds. */
  wait_for: z.coerce.number().nullable(),
  group_by: z.array(z.string()).nullable(),
  /** Of the rule itself, as it was written last. */
  error: z.string().nullable(),
})
export type Rule = z.infer<typeof RuleSchema>

interface Database {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>
}

const COLUMNS = Object.keys(RuleSchema.shape).join(', ')

/** Null for one that is not there any more. */
export async function readRule(database: Database, id: string): Promise<Rule | null> {
  const { rows } = await database.query(`select ${COLUMNS} from notifications where id = $1 and deleted_at is null`, [
    id,
  ])
  return rows[0] === undefined ? null : RuleSchema.parse(rows[0])
}

/** Those that ask for one of the events, oldest first. */
export async function readListening(database: Database, events: readonly string[]): Promise<Rule[]> {
  const { rows } = await database.query(
    `select ${COLUMNS} from notifications where deleted_at is null and events && $1::text[] order by created_at, id`,
    [events],
  )
  return rows.map((row) => RuleSchema.parse(row))
}

/** An error of the rule itself, which its author has to see; the same one is written once. */
export async function setRuleError(database: Database, id: string, error: string | null): Promise<void> {
  await database.query(`update notifications set error = $2 where id = $1 and error is distinct from $2`, [id, error])
}

/** What is decided for a rule is decided one after the other, until the transaction ends. */
export async function lockRule(client: Database, id: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [lockKey('notification-rule', id)])
}

/** Text of a property; null when it is none. */
export function textProperty({ properties }: Pick<Rule, 'properties'>, name: string): string | null {
  const value = properties?.[name]
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
