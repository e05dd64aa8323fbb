// Silences: what is not told for a while, about one resource and, if asked for, what is below it.
import { failed, ok, type Result } from '@watchroom/shared/kernel'
import type { SilencePreview } from '@watchroom/shared/notifications'
import type { Pool } from 'pg'
import { z } from 'zod'

import { tryParseDateMath } from '../server/dateMath.ts'

const SILENCEABLE = ['config', 'canary', 'check', 'component'] as const
type Silenceable = (typeof SILENCEABLE)[number]

const id = z.guid().nullish()

export const SilenceBodySchema = z.object({
  config_id: id,
  canary_id: id,
  check_id: id,
  component_id: id,
  /** Date math or a moment. */
  from: z.string().min(1).max(100),
  until: z.string().min(1).max(100),
  recursive: z.boolean().nullish(),
  description: z.string().max(1_000).nullish(),
})
export const SilencePreviewBodySchema = SilenceBodySchema.omit({ from: true, until: true, description: true })

type ResourceIds = Readonly<Partial<Record<`${Silenceable}_id`, string | null | undefined>>>

export interface Silenced {
  readonly kind: Silenceable
  readonly id: string
}

/** @returns what is wrong, in the words of the API */
export function toSilenced(ids: ResourceIds): Result<Silenced, string> {
  const named = SILENCEABLE.flatMap((kind) => {
    const found = ids[`${kind}_id`]
    return found ? [{ kind, id: found }] : []
  })
  const [first, second] = named
  const choice = '`config_id`, `canary_id`, `check_id` or `component_id`'
  if (!first) return failed(`at least one of ${choice} is required`)
  return second ? failed(`only one of ${choice} may be named`) : ok(first)
}

export interface Period {
  readonly from: Date
  readonly until: Date
}

export function toPeriod(
  words: { readonly from: string; readonly until: string },
  now: number,
): Result<Period, string> {
  const from = tryParseDateMath(words.from, now)
  if (from === null) return failed(`from: "${words.from}" is neither a moment nor date math`)
  const until = tryParseDateMath(words.until, now)
  if (until === null) return failed(`until: "${words.until}" is neither a moment nor date math`)
  // One without length covers nothing; the real server takes it (backend reference 4.9).
  return from <= until ? ok({ from, until }) : failed('`from` time must be before `until`')
}

/** Of the preview; more are counted. */
const MAX_NAMED = 20

export async function previewSilence(
  pool: Pick<Pool, 'query'>,
  { kind, id: of }: Silenced,
  isRecursive: boolean,
): Promise<SilencePreview> {
  const { rows } = await pool.query<Omit<SilencePreview, 'names'> & { names: string[] | null }>(
    `with covered as (
       select about.id, coalesce(
         (select name from checks where about.kind = 'check' and checks.id = about.id),
         (select name from canaries where about.kind = 'canary' and canaries.id = about.id),
         (select name from components where about.kind = 'component' and components.id = about.id),
         (select name from config_items where about.kind = 'config' and config_items.id = about.id)) as name
       from watchroom_internal.covered_by_silence($1, $2, $3) as about)
     select count(*)::integer as covered,
       (array_agg(name order by name) filter (where name is not null))[1:${MAX_NAMED}] as names,
       (select name from covered where id = $2 limit 1) as about,
       (
         select count(*)::integer from notification_send_history as history
         where history.resource_id in (select id from covered) and history.status in ('sent', 'fallback', 'grouped')
           and history.created_at > now() - interval '1 day') as messages
     from covered`,
    [kind, of, isRecursive],
  )
  const [row] = rows
  return {
    covered: row?.covered ?? 0,
    names: row?.names ?? [],
    about: row?.about ?? null,
    messages: row?.messages ?? 0,
  }
}

const EXISTS: Readonly<Record<Silenceable, string>> = {
  config: 'config_items',
  canary: 'canaries',
  check: 'checks',
  component: 'components',
}

export async function exists(pool: Pick<Pool, 'query'>, { kind, id: of }: Silenced): Promise<boolean> {
  const { rowCount } = await pool.query(`select from ${EXISTS[kind]} where id = $1 and deleted_at is null`, [of])
  return rowCount === 1
}
