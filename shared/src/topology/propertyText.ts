import type { ComponentProperty } from './component.ts'

/** Properties with an order first, by it; the others as they come. */
export const inOrder = (properties: readonly ComponentProperty[] | null | undefined): ComponentProperty[] =>
  (properties ?? []).toSorted((a, b) => (a.order ?? Infinity) - (b.order ?? Infinity) || 0)

/** Links of a property, besides its text. */
export function toPropertyLinks(
  property: ComponentProperty,
): readonly { readonly url: string; readonly text: string }[] {
  const look = toPropertyLook(property)
  const links = (property.links ?? []).filter(({ url }) => url !== '')
  return links.slice(look?.kind === 'link' && look.url === links[0]?.url ? 1 : 0).map((link) => toLink(link))
}

type Link = NonNullable<ComponentProperty['links']>[number]

const toLink = ({ url, label, text }: Link) => ({ url, text: label || text || url.replace('https://', '') })

const AGE_NAMES = new Set(['created', 'created_at', 'updated', 'updated_at'])
/** Above this part of its limit a property is red. */
const NEARLY_FULL = 0.7
const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']
const BYTE_STEP = 1_024
const GIGABYTES = 3

/** What a card shows of a property (backend reference 10.6). */
export type PropertyLook =
  | { readonly kind: 'age'; readonly at: string }
  | { readonly kind: 'link'; readonly url: string; readonly text: string }
  | {
      readonly kind: 'text'
      readonly text: string
      /** Part of the limit, from 0 on. */
      readonly used?: number
      readonly isNearlyFull?: boolean
    }

/** @returns null for what is never shown */
export function toPropertyLook(property: ComponentProperty): PropertyLook | null {
  const { name, type, text, value, max } = property
  if (type === 'hidden') return null
  if ((AGE_NAMES.has(name) || type === 'age') && text) return { kind: 'age', at: text }
  if (type === 'url' && text) return { kind: 'link', url: text, text: text.replace('https://', '') }
  const link = property.links?.find(({ url }) => url !== '')
  if (link !== undefined && value == null && !text) {
    return { kind: 'link', ...toLink(link) }
  }
  if (value == null) return text ? { kind: 'text', text } : null
  if (type === 'currency') return { kind: 'text', text: toCurrencyText(value) }
  if (property.unit === 'percent') return { kind: 'text', text: `${round(value * 100, 2)}%` }
  const isMeasure = name === 'cpu' || name === 'memory'
  const shown = toMeasureText(value, property.unit, isMeasure)
  if (max == null || max <= 0) return { kind: 'text', text: shown }
  const used = value / max
  return {
    kind: 'text',
    text: isMeasure ? shown : `${shown} of ${toMeasureText(max, property.unit, false)}`,
    used,
    isNearlyFull: used > NEARLY_FULL,
  }
}

function toMeasureText(value: number, unit: string | null | undefined, isMeasure: boolean): string {
  if (unit?.startsWith('milli')) return (value / 1_000).toFixed(2)
  if (unit === 'bytes' || (isMeasure && unit == null)) return toBytesText(value)
  return unit && unit !== 'count' ? `${value} ${unit}` : String(value)
}

function toBytesText(bytes: number): string {
  let rest = Math.abs(bytes)
  let unit = 0
  while (rest >= BYTE_STEP && unit < BYTE_UNITS.length - 1) {
    rest /= BYTE_STEP
    unit += 1
  }
  const figure = unit >= GIGABYTES ? rest.toFixed(1) : String(Math.round(rest))
  return `${bytes < 0 ? '-' : ''}${figure} ${BYTE_UNITS[unit]}`
}

function toCurrencyText(value: number): string {
  if (value > 1_000) return `${(value / 1_000).toFixed(1)}k`
  if (value > 100) return value.toFixed(0)
  if (value > 10) return value.toFixed(1)
  if (value > 0.01) return value.toFixed(2)
  return value > 0.001 ? value.toFixed(3) : String(value)
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits))
