// The fields of an agent's dialog, and what is wrong with them. Pure.

/** First specification, section 5. */
export const REQUIRED_TEXT = 'This field is required'

/** First specification, section 9. */
export const SCRAPE_INTERVALS = ['1m', '5m', '10m', '30m', '1h', '2h', '6h', '12h', '24h'] as const
export type ScrapeInterval = (typeof SCRAPE_INTERVALS)[number]

/** One line of the list of properties; `rowId` is only ours. */
export interface PropertyRow {
  readonly rowId: number
  readonly key: string
  readonly value: string
}

export interface AgentFormFields {
  readonly name: string
  readonly properties: readonly PropertyRow[]
  readonly kubernetes: {
    readonly enabled: boolean
    readonly interval: ScrapeInterval
    /** Kinds of resources that are not scraped, as somebody types them. */
    readonly exclusions: string
  }
  readonly telemetry: { readonly enabled: boolean; readonly label: string }
}

export const NEW_AGENT: AgentFormFields = {
  name: '',
  properties: [],
  kubernetes: { enabled: false, interval: '30m', exclusions: '' },
  telemetry: { enabled: false, label: '' },
}

export interface AgentFormErrors {
  readonly name?: string
  readonly label?: string
  /** By `rowId`, about the key of that row. */
  readonly properties: ReadonlyMap<number, string>
}

export function findErrors(fields: AgentFormFields): AgentFormErrors {
  const properties = new Map<number, string>()
  const keys = new Set<string>()
  for (const { rowId, key, value } of fields.properties) {
    const name = key.trim()
    if (name === '' && value.trim() === '') continue
    if (name === '') properties.set(rowId, REQUIRED_TEXT)
    else if (keys.has(name)) properties.set(rowId, 'This key is already there')
    keys.add(name)
  }
  const isLabelMissing = fields.telemetry.enabled && fields.telemetry.label.trim() === ''
  return {
    ...(fields.name.trim() === '' ? { name: REQUIRED_TEXT } : {}),
    ...(isLabelMissing ? { label: REQUIRED_TEXT } : {}),
    properties,
  }
}

export const hasErrors = (errors: AgentFormErrors): boolean =>
  errors.name !== undefined || errors.label !== undefined || errors.properties.size > 0

/** Rows that were left empty are no property. */
export function toProperties(rows: readonly PropertyRow[]): Record<string, string> {
  return Object.fromEntries(rows.map(({ key, value }) => [key.trim(), value] as const).filter(([key]) => key !== ''))
}

export function toRows(properties: Readonly<Record<string, string>> | null | undefined): PropertyRow[] {
  return Object.entries(properties ?? {}).map(([key, value], index) => ({ rowId: index + 1, key, value }))
}

/** Kinds are named once, between commas, spaces or line ends. */
export function toExclusions(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((kind) => kind !== ''))]
}

export const nextRowId = (rows: readonly PropertyRow[]): number => Math.max(0, ...rows.map(({ rowId }) => rowId)) + 1

export function isSameProperties(
  a: Readonly<Record<string, string>> | null | undefined,
  b: Readonly<Record<string, string>> | null | undefined,
): boolean {
  const [left, right] = [Object.entries(a ?? {}), Object.entries(b ?? {})]
  return left.length === right.length && left.every(([key, value]) => b?.[key] === value)
}
