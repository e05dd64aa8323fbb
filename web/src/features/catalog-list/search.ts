import { z } from 'zod'

import { sortFields } from '../../ui/table/listSearch.ts'
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

/** A text without any entry counts as empty. */
const threeWay = z
  .string()
  .transform((text) => stringifyThreeWay(parseThreeWay(text)))
  .catch('')

/** What the address of the catalog says. Values that may be wanted or not stand as `key:1,other:-1`. */
export const CatalogSearchSchema = z.object({
  search: z.string().catch(''),
  /** Empty, or `All`: of every type. */
  configType: z
    .string()
    .transform((type) => (type === 'All' ? '' : type))
    .catch(''),
  /** `key__:__value`, joined by commas; `!` before what must not be. */
  labels: z.string().catch(''),
  status: threeWay,
  health: threeWay,
  /** `config_class`, `type`, `changed`, and `{tag}__tag`, joined by commas. Empty: what the view groups by. */
  groupBy: z.string().refine(isGroupBy).catch(''),
  /** An older name of the same. */
  groupByProp: z.string().catch(''),
  ...sortFields(ORDER_KEYS, 'type', 'asc'),
  /** `key:value` pairs that may be wanted or not. */
  tags: threeWay,
})
export type CatalogSearch = z.infer<typeof CatalogSearchSchema>

/** The summary is shown while no type is chosen and nothing is searched for. */
export const isSummary = ({ configType, search }: CatalogSearch): boolean => configType === '' && search.trim() === ''
