const HAS_ZONE = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i
const BARE_HOURS_ZONE = /([+-]\d{2})$/

/**
 * Milliseconds since the epoch of a timestamp from the backend.
 *
 * Some columns (`check_statuses.time`) carry no zone and mean UTC; PostgREST shortens a zone to `+00`, which JavaScript refuses.
 *
 * @returns null when there is no timestamp or it cannot be read
 */
export function parseTimestamp(text: string | null | undefined): number | null {
  if (text === null || text === undefined || text === '') return null
  const isDateOnly = !text.includes(':')
  const zoned = isDateOnly || HAS_ZONE.test(text) ? text : `${text}Z`
  const iso = (isDateOnly ? zoned : zoned.replace(BARE_HOURS_ZONE, '$1:00')).replace(' ', 'T')
  const at = Date.parse(iso)
  return Number.isNaN(at) ? null : at
}
