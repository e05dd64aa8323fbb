// Insights of items: opened, seen again, resolved. An insight is told apart by its analyzer and type; a person's word that one is
// silenced stays.
import type { ScrapedItem } from '../item.ts'
import type { Database } from './stored.ts'

interface InsightsOf {
  readonly id: string
  readonly item: Pick<ScrapedItem, 'insights' | 'deletedAt'>
}

const OPEN = `
with found as (
  select * from jsonb_to_recordset($1::jsonb) as insight(
    config_id uuid, analyzer text, analysis_type text, severity text, summary text, message text)
), seen as (
  update config_analysis as known set severity = found.severity, summary = found.summary, message = found.message,
    last_observed = $3, status = case when known.status = 'silenced' then known.status else 'open' end
  from found
  where known.config_id = found.config_id and known.scraper_id = $2 and known.analyzer = found.analyzer
    and known.analysis_type is not distinct from found.analysis_type
  returning known.config_id, known.analyzer, known.analysis_type
)
insert into config_analysis (config_id, scraper_id, source, analyzer, analysis_type, severity, summary, message, status,
  first_observed, last_observed)
select config_id, $2, $4, analyzer, analysis_type, severity, summary, message, 'open', $3, $3 from found
where not exists (
  select from seen where seen.config_id = found.config_id and seen.analyzer = found.analyzer
    and seen.analysis_type is not distinct from found.analysis_type)`

const RESOLVE = `
update config_analysis set status = 'resolved', last_observed = $3
where scraper_id = $2 and config_id = any($4) and status is distinct from 'resolved' and not exists (
  select from jsonb_to_recordset($1::jsonb) as found(config_id uuid, analyzer text, analysis_type text)
  where found.config_id = config_analysis.config_id and found.analyzer = config_analysis.analyzer
    and found.analysis_type is not distinct from config_analysis.analysis_type)`

export async function writeInsights(
  database: Database,
  items: readonly InsightsOf[],
  { scraper, now }: { readonly scraper: { readonly id: string; readonly name: string }; readonly now: Date },
): Promise<void> {
  const found = items.flatMap(({ id, item }) => (item.deletedAt ? [] : toRows(id, item.insights)))
  const rows = JSON.stringify(found)
  await database.query(RESOLVE, [rows, scraper.id, now, items.map(({ id }) => id)])
  if (found.length > 0) await database.query(OPEN, [rows, scraper.id, now, scraper.name])
}

/** Of two that nothing tells apart the last one counts. */
function toRows(configId: string, insights: ScrapedItem['insights']): object[] {
  const byIdentity = new Map(insights.map((insight) => [`${insight.analyzer}\n${insight.type}`, insight]))
  return [...byIdentity.values()].map(({ analyzer, type, severity, summary, message }) => ({
    config_id: configId,
    analyzer,
    analysis_type: type,
    severity,
    summary: summary ?? analyzer,
    message,
  }))
}
