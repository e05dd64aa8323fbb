// Apart from other filters: every page reads those, and only lists of items this one.
import { HEALTH_BAR } from './figures.ts'
import { matchesWordFilter, parseWordFilter, toWordFilterText } from './filter.ts'

/**
 * A filter of health as parameters of a list. What the bar shows as unknown has no health, or another word: no list of words finds it.
 */
export function toHealthParams(choices: Iterable<readonly [string, 1 | -1]>): (readonly [string, string])[] {
  const text = toWordFilterText(choices)
  if (text === '') return []
  const filter = parseWordFilter(text)
  const failing = HEALTH_BAR.filter((health) => !matchesWordFilter(filter, health))
  if (failing.includes('unknown')) {
    // Another word is unknown as well: where that must not be, the words that may be are named.
    const passing = HEALTH_BAR.filter((health) => !failing.includes(health)).join()
    return [['health.filter', filter.included.length > 0 || passing === '' ? text : passing]]
  }
  return failing.length === 0 ? [] : [['or', `(health.is.null,health.not.in.(${failing.join()}))`]]
}
