import type { LabelFilter, LabelGroup } from '@watchroom/shared/health'

import { toThreeWayText } from '../../url/threeWay.ts'

/** From this many choices on they are counted instead of named (first specification, section 2). */
const COUNTED_FROM = 4

const countWords = (verb: string, count: number): string[] =>
  count === 0 ? [] : [`${verb} ${count} ${count === 1 ? 'label' : 'labels'}`]

/** The choices within one label key in words; null when there is none. */
export function toLabelSummary({ values }: Pick<LabelGroup, 'values'>, filter: LabelFilter): string | null {
  const chosen = values.flatMap(({ id, value }) => {
    const choice = filter.get(id)
    return choice === undefined ? [] : [{ value, choice }]
  })
  if (chosen.length === 0) return null
  if (chosen.length < COUNTED_FROM) return chosen.map(({ value, choice }) => toThreeWayText(value, choice)).join(', ')
  const included = chosen.filter(({ choice }) => choice === 1).length
  return [...countWords('including', included), ...countWords('excluding', chosen.length - included)].join(', ')
}
