/**
 * Deletes items softly, and resolves what was open of them. Answers with one row: how many (`count`).
 *
 * @param which in SQL, of live ones; its parameters begin with $3, after the moment and the reason
 */
export const softDeletion = (which: string): string => `
with gone as (
  update config_items set deleted_at = $1, delete_reason = $2 where deleted_at is null and (${which}) returning id
), resolved as (
  update config_analysis set status = 'resolved', last_observed = $1 from gone
  where config_id = gone.id and status is distinct from 'resolved'
)
select count(*)::int as count from gone`
