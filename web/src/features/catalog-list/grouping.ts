import type { CatalogSearch } from './search.ts'

/** What rows can be grouped by; tags by their keys. */
export type GroupKey =
  | { readonly by: 'config_class' | 'type' | 'changed' }
  | { readonly by: 'tag'; readonly tag: string }

const TAG_SUFFIX = '__tag'

/** The default grouping of the summary (third specification, section 2). */
const DEFAULT_GROUP_BY = 'config_class,type'

/** Turns grouping off in a view that groups by default. */
export const NO_GROUPING = 'none'

/** Reads `config_class,region__tag`; keys that cannot be grouped by are dropped. */
export function parseGroupBy(text: string): GroupKey[] {
  return text.split(',').flatMap((word): GroupKey[] => {
    if (word === 'config_class' || word === 'type' || word === 'changed') return [{ by: word }]
    const tag = word.endsWith(TAG_SUFFIX) ? word.slice(0, -TAG_SUFFIX.length) : ''
    return tag === '' ? [] : [{ by: 'tag', tag }]
  })
}

/** Whether a text says what to group by, or that nothing is to be grouped. */
export const isGroupBy = (text: string): boolean => text === NO_GROUPING || parseGroupBy(text).length > 0

export const tagGroup = (tag: string): string => `${tag}${TAG_SUFFIX}`

type Grouping = Pick<CatalogSearch, 'groupBy' | 'groupByProp'>

/** The grouping in the URL. Older links use another key, in which tags have no suffix. */
function groupByOf({ groupBy, groupByProp }: Grouping): string {
  if (groupBy !== '' || groupByProp === '') return groupBy
  return parseGroupBy(groupByProp).length > 0 ? groupByProp : tagGroup(groupByProp)
}

/** Groups of the summary. Grouping by time of change makes no sense for types, so it falls back to the default groups. */
export function summaryGroups(search: Grouping): GroupKey[] {
  const asked = groupByOf(search)
  const groups = parseGroupBy(asked).filter(({ by }) => by !== 'changed')
  return groups.length > 0 || asked === NO_GROUPING ? groups : parseGroupBy(DEFAULT_GROUP_BY)
}

/** Groups of the list, which has none by default. */
export const listGroups = (search: Grouping): GroupKey[] => parseGroupBy(groupByOf(search))

/** Whether a key can be used in a database path as it is. Dots and brackets would end it, and quoting does not work there. */
export const isPlainKey = (key: string): boolean => /^\w[\w/-]*$/.test(key)

/** What rows are grouped by, as far as the database can keep groups together. */
export const orderedGroups = (search: Grouping): GroupKey[] =>
  listGroups(search).filter((group) => group.by !== 'tag' || isPlainKey(group.tag))
