type Labels = Readonly<Record<string, string>>

/** Labels of a check that are kept and shown, those of its canary included. */
export const MAX_LABELS = 100
/** Stands in for the labels that are left out, and says how many. */
const OMITTED_KEY = '(more labels)'

/**
 * The labels, at most `MAX_LABELS` of them. Sixty thousand labels on one check are nobody's filter, and everyone who reads the
 * board would have to go through them; that some are left out is said among them.
 */
export function boundLabels(labels: Labels): Labels {
  const entries = Object.entries(labels)
  if (entries.length <= MAX_LABELS) return labels
  const kept = entries.filter(([key]) => key !== OMITTED_KEY).slice(0, MAX_LABELS - 1)
  const omitted = entries.length - kept.length
  return Object.fromEntries([...kept, [OMITTED_KEY, `${omitted} are not shown`]])
}
