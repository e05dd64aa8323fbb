import { z } from 'zod'

import { parseThreeWay, stringifyThreeWay } from '../../url/threeWay.ts'
import { isGroupBy } from './grouping.ts'

/** Columns that the database can order, by their keys in the address (third specification, section 2). */
export const ORDERS = {
  name: ['name'],
  type: ['type', 'name'],
  status: ['status', 'name'],
  cost: ['cost_total_30d', 'name'],
  created_at: ['created_at'],
  updated_at: ['updated_at'],
  deleted_at: ['deleted_at'],
} as const
export type ListOrder = keyof typeof ORDERS

/** Orders of the summary only. */
const SUMMARY_ORDERS = ['count', 'changes'] as const
type OrderKey = ListOrder | (typeof SUMMARY_ORDERS)[number]
const ORDER_KEYS = [...(Object.keys(ORDERS) as ListOrder[]), ...SUMMARY_ORDERS]

/** The order of the list: the summary has some that the list does not. */
export const toListOrder = (key: OrderKey): ListOrder => (key === 'count' || key === 'changes' ? 'type' : key)

// A type, not an interface: only types are assignable to the index signature of `useSearchState`.
/** What the address of the catalog says. Values that may be wanted or not stand as `key:1,other:-1`. */
export type CatalogSearch = {
  search: string
  /** Empty, or `All`: of every type. */
  configType: string
  /** `key__:__value`, joined by commas; `!` before what must not be. */
  labels: string
  status: string
  health: string
  /** `config_class`, `type`, `changed`, and `{tag}__tag`, joined by commas. Empty: what the view groups by. */
  groupBy: string
  /** An older name of the same. */
  groupByProp: string
  sortBy: OrderKey
  sortOrder: 'asc' | 'desc'
  /** `key:value` pairs that may be wanted or not. */
  tags: string
}

/** A text without any entry counts as empty. */
const threeWay = z
  .string()
  .transform((text) => stringifyThreeWay(parseThreeWay(text)))
  .catch('')

export const CatalogSearchSchema: z.ZodType<CatalogSearch> = z.object({
  search: z.string().catch(''),
  configType: z
    .string()
    .transform((type) => (type === 'All' ? '' : type))
    .catch(''),
  labels: z.string().catch(''),
  status: threeWay,
  health: threeWay,
  groupBy: z.string().refine(isGroupBy).catch(''),
  groupByProp: z.string().catch(''),
  sortBy: z.enum(ORDER_KEYS).catch('type'),
  sortOrder: z.enum(['asc', 'desc']).catch('asc'),
  tags: threeWay,
})

/** The summary is shown while no type is chosen and nothing is searched for. */
export const isSummary = ({ configType, search }: CatalogSearch): boolean => configType === '' && search.trim() === ''
