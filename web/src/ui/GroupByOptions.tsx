import type { GroupBy } from '@watchroom/shared/health'

/** Groupings by a field of the check, as people call them. */
const GROUPINGS = [
  { value: 'canary_name', label: 'Group Name' },
  { value: 'name', label: 'Name' },
  { value: 'description', label: 'Description' },
  { value: 'type', label: 'Type' },
] as const

const LABEL_PREFIX = 'label:'

/** A grouping as people read it. */
export const toGroupingText = (groupBy: GroupBy): string =>
  GROUPINGS.find(({ value }) => value === groupBy)?.label ?? groupBy.replace(LABEL_PREFIX, 'label ')

interface LabelOptionsProps {
  keys: readonly string[]
  /** The chosen value: its key may be one that no check has any more, and the menu still names it. */
  chosen: string
}

/** Choices of a menu: the label keys in use. */
export function LabelOptions({ keys, chosen }: LabelOptionsProps) {
  const own = chosen.startsWith(LABEL_PREFIX) ? chosen.slice(LABEL_PREFIX.length) : null
  const all = own === null || keys.includes(own) ? keys : [...keys, own]
  if (all.length === 0) return null
  return (
    <optgroup label="Label">
      {all.map((key) => (
        <option key={key} value={`${LABEL_PREFIX}${key}`}>
          {key}
        </option>
      ))}
    </optgroup>
  )
}

interface GroupByOptionsProps extends LabelOptionsProps {
  /** What no grouping is called. */
  ungrouped?: string
}

/** Choices of a menu by what checks are grouped: fields, and the label keys in use. */
export const GroupByOptions = ({ ungrouped = 'No Grouping', ...labels }: GroupByOptionsProps) => (
  <>
    <option value="no-group">{ungrouped}</option>
    {GROUPINGS.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
    <LabelOptions {...labels} />
  </>
)
