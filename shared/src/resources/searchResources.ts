import { z } from 'zod'

import { SEARCH_KIND_NAMES, type SearchKind } from './searchKinds.ts'

/** Rows of one kind when nobody says how many. */
const DEFAULT_SEARCH_LIMIT = 100
const MAX_SEARCH_LIMIT = 500
/** Selectors of one kind in one question. */
const MAX_SELECTORS = 20
const MAX_LETTERS = 500
const MAX_NAMES = 100

const text = z.string().max(MAX_LETTERS).nullish()
const names = z.array(z.string().max(MAX_LETTERS)).max(MAX_NAMES).nullish()

/** Which rows are meant, of a search and of a playbook; one without any condition means none. */
export const ResourceSelectorSchema = z.object({
  id: text,
  /** `*` at one end stands for anything, also in a namespace and a type. */
  name: text,
  namespace: text,
  /** Empty: of this installation alone. `all`: of any. Else an agent's id or name. */
  agent: text,
  /** The canary of checks, the scraper of configs, the topology of components. */
  scope: text,
  /** How words of the name begin, or of a tag or label's value. */
  search: text,
  includeDeleted: z.boolean().nullish(),
  types: names,
  statuses: names,
  /** `a=b,c!=d,e in (f,g),h notin (i),j,!k`, as Kubernetes writes it. */
  tagSelector: text,
  labelSelector: text,
  fieldSelector: text,
})
export type ResourceSelector = z.infer<typeof ResourceSelectorSchema>

const asksForSomething = (selector: ResourceSelector): boolean =>
  Object.values(selector).some((asked) => (Array.isArray(asked) ? asked.length > 0 : asked))

/**
 * Selectors as a playbook means them: one that names no agent means the resources of all, and one that asks for nothing means none.
 */
export const ofAnyAgent = (selectors: readonly ResourceSelector[]): ResourceSelector[] =>
  selectors.filter(asksForSomething).map((selector) => ({ agent: 'all', ...selector }))

/** Selectors as one agent means them, whichever agent they name: one that asks for nothing else means none, not all that it has. */
export const ofAgent = (selectors: readonly ResourceSelector[], agent: string): ResourceSelector[] =>
  selectors
    .filter(({ agent: _, includeDeleted: __, ...asked }) => asksForSomething(asked))
    .map((selector) => ({ ...selector, agent }))

const perKind = <Schema extends z.ZodType>(schema: Schema) =>
  Object.fromEntries(SEARCH_KIND_NAMES.map((kind) => [kind, schema])) as Record<SearchKind, Schema>

const selectors = z.array(ResourceSelectorSchema).max(MAX_SELECTORS).nullish()

/** A list that is there means that this kind is searched. */
export const ResourceSearchSchema = z.object({
  limit: z
    .number()
    .int()
    .nonnegative()
    .nullish()
    .transform((limit) => Math.min(limit || DEFAULT_SEARCH_LIMIT, MAX_SEARCH_LIMIT)),
  ...perKind(selectors),
})

const FoundResourceSchema = z.object({
  id: z.string(),
  /** NIL_UUID: of this installation. */
  agent: z.string(),
  icon: z.string().optional(),
  name: z.string(),
  namespace: z.string(),
  type: z.string(),
  /** Of checks and components their labels. */
  tags: z.record(z.string(), z.unknown()).optional(),
  /** Ours: how it is, in the words of its kind. */
  status: z.string().optional(),
  /** Ours: the number of an incident, the address of a person. */
  alias: z.string().optional(),
})
export type FoundResource = z.infer<typeof FoundResourceSchema>

/** Kinds of which nothing was found are left out, and so are those that the caller may not read. */
export const ResourceSearchAnswerSchema = z.object(perKind(z.array(FoundResourceSchema).optional()))
export type ResourceSearchAnswer = z.infer<typeof ResourceSearchAnswerSchema>
