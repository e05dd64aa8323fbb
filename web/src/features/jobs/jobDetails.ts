import { jobErrors, type JobHistory } from '@watchroom/shared/settings'

export interface JobDetail {
  readonly id: string
  readonly title: string
  readonly errors: readonly string[]
  readonly summary: Readonly<Record<string, unknown>>
}

/** The three tabs of what a job left behind, in their order; null when there is nothing to read in any. */
export function toJobDetails(job: JobHistory): { readonly tabs: readonly JobDetail[]; readonly first: string } | null {
  const tabs: readonly JobDetail[] = [
    { id: 'errors', title: 'Errors', errors: jobErrors(job.details), summary: {} },
    { id: 'scrape', title: 'Scrape Summary', errors: [], summary: job.details?.scrape_summary ?? {} },
    { id: 'reconcile', title: 'Reconcile Summary', errors: [], summary: job.details?.summary ?? {} },
  ]
  const first = tabs.find(isFilled)
  return first ? { tabs, first: first.id } : null
}

export const isFilled = ({ errors, summary }: JobDetail): boolean =>
  errors.length > 0 || Object.keys(summary).length > 0

export const hasDetails = (job: JobHistory): boolean => toJobDetails(job) !== null

/** Each text once, with how often it happened. */
export function foldErrors(errors: readonly string[]): { text: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const text of errors) counts.set(text, (counts.get(text) ?? 0) + 1)
  return Array.from(counts, ([text, count]) => ({ text, count }))
}

/** `3 added · 200 unchanged`, of counts alone: what there is none of is left out where there is any. Null for all else. */
function toCounts(value: object): string | null {
  const counts = Object.entries(value)
  if (counts.length === 0 || counts.some(([, count]) => typeof count !== 'number')) return null
  const some = counts.filter(([, count]) => count !== 0)
  return (some.length > 0 ? some : counts).map(([word, count]) => `${count.toLocaleString()} ${word}`).join(' · ')
}

/** A summary as lines: counts beside what they are of, and else what lies deeper is named by its whole path. */
export function toLines(summary: Readonly<Record<string, unknown>>, path = ''): { name: string; value: string }[] {
  return Object.entries(summary).flatMap(([key, value]) => {
    const name = path === '' ? key : `${path} · ${key}`
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const counts = toCounts(value)
      if (counts !== null) return [{ name, value: counts }]
      return toLines(value as Record<string, unknown>, name)
    }
    return [{ name, value: typeof value === 'string' ? value : JSON.stringify(value) }]
  })
}
