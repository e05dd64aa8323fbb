// Changes of items as rows: what a run sees of a document, and what a source tells.
import { toConfigText } from '@watchroom/shared/catalog'
import { toUnifiedDiff } from '@watchroom/shared/kernel'

import type { Authorship, ItemChange } from '../item.ts'
import { describePatches } from './describePatches.ts'
import { toJsonPatch } from './jsonPatch.ts'
import { sortKeys } from './plan.ts'

export interface ChangeRow {
  readonly config_id: string
  readonly external_change_id?: string
  readonly external_created_by?: string | undefined
  readonly change_type: string
  readonly severity?: string | undefined
  readonly source?: string | undefined
  readonly summary?: string | undefined
  readonly patches?: unknown
  readonly diff?: string | undefined
  readonly details?: unknown
  readonly created_at?: Date | undefined
}

export interface DiffContext {
  readonly scraper: string
  readonly authorship: Authorship | null
  /** When the item was read before. */
  readonly seenAt: Date | null
}

/** @returns null where the documents say the same */
export function toDiffChange(
  configId: string,
  before: unknown,
  after: unknown,
  { scraper, authorship, seenAt }: DiffContext,
): ChangeRow | null {
  const patches = toJsonPatch(sortKeys(before), sortKeys(after))
  if (patches.length === 0) return null
  return {
    config_id: configId,
    external_created_by: authorship?.author,
    // Changes stand in the order in which they were seen: an older commit that came back now is not put before newer ones.
    created_at: authorship && seenAt && authorship.at > seenAt ? authorship.at : undefined,
    change_type: 'diff',
    severity: 'info',
    source: scraper,
    summary: describePatches(patches, before),
    patches,
    diff: toUnifiedDiff(toConfigText(sortKeys(before)), toConfigText(sortKeys(after))),
  }
}

export const toToldChange = (configId: string, scraper: string, change: ItemChange, now: Date): ChangeRow => ({
  config_id: configId,
  external_change_id: change.id,
  external_created_by: change.createdBy,
  change_type: change.type,
  severity: change.severity,
  source: change.source ?? scraper,
  summary: change.summary,
  diff: change.diff,
  details: change.details,
  created_at: change.createdAt ?? now,
})

/**
 * `$1` are the rows as JSON, `$2` the moment of the run. What is stored in the same words is left alone; what the source tells anew
 * under the same id is counted on the first row.
 */
export const INSERT_CHANGES = `
with told as (
  select * from jsonb_to_recordset($1::jsonb) as told(config_id uuid, external_change_id text, external_created_by text,
    change_type text, severity text, source text, summary text, patches jsonb, diff text, details jsonb, created_at timestamptz)
)
insert into config_changes (config_id, external_change_id, external_created_by, change_type, severity, source, summary,
  patches, diff, details, created_at, first_observed)
select config_id, external_change_id, external_created_by, change_type, severity, source, summary, patches, diff, details,
  coalesce(created_at, $2), coalesce(created_at, $2)
from told
where external_change_id is null or not exists (
  select from config_changes as known
  where known.config_id = told.config_id and known.external_change_id = told.external_change_id
    and (known.created_at >= told.created_at or told.created_at = $2) and known.details is not distinct from told.details)`
