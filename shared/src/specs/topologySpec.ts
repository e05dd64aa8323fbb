import { z } from 'zod'

import { CanarySpecSchema, tryParseSchedule } from '../health/checkTypes/index.ts'
import { parseRequirements, type ResourceSelector } from '../resources/index.ts'
import { duration, required } from './common.ts'
import { ExecElementSchema } from './scrapers/exec.ts'
import { HttpElementSchema } from './scrapers/http.ts'
import { tryParseJsonPath } from './scrapers/jsonPath.ts'
import { SqlElementSchema } from './scrapers/sql.ts'

export const DEFAULT_TOPOLOGY_SCHEDULE = '@every 10m'
/** Of components below one another, with those that are looked up. */
const MAX_TOPOLOGY_LEVELS = 10
const MAX_CHILDREN = 1_000
const MAX_LISTED = 50

const text = z.string().max(1_000)
const words = z.string().max(10_000)
/** In the Common Expression Language. */
const expression = required.max(10_000)
const labels = z.record(z.string().min(1).max(200), text)

const requirements = text.superRefine((selector, context) => {
  const parsed = parseRequirements(selector)
  if (!parsed.ok) context.addIssue(parsed.error)
})
const SELECTOR_FIELDS = {
  id: z.guid().optional(),
  /** `*` at one end stands for anything, also in a namespace and a type. */
  name: text.optional(),
  namespace: text.optional(),
  agent: text.optional(),
  types: z.array(text).max(100).optional(),
  statuses: z.array(text).max(100).optional(),
  tagSelector: requirements.optional(),
  labelSelector: requirements.optional(),
  fieldSelector: requirements.optional(),
}
/** Which resources are meant, as a search says it. */
const SelectorSchema = z
  .strictObject(SELECTOR_FIELDS)
  .refine((selector) => Object.values(selector).some((asked) => (Array.isArray(asked) ? asked.length > 0 : asked)), {
    message: 'Must ask for something',
  }) satisfies z.ZodType<ResourceSelector>
const selectors = z.array(SelectorSchema).max(MAX_LISTED)

const LinkSchema = z.strictObject({
  type: text.optional(),
  url: required.max(2_000),
  tooltip: text.optional(),
  icon: text.optional(),
  text: text.optional(),
  label: text.optional(),
})

/** Where a value is looked up; a property that says it itself has a text, a value, links or several of these. */
const COMPUTED = ['check', 'config', 'expr'] as const
const SAID = ['text', 'value', 'links'] as const

const PropertySchema = z
  .strictObject({
    name: required.max(200),
    label: text.optional(),
    tooltip: text.optional(),
    icon: text.optional(),
    type: text.optional(),
    color: text.optional(),
    unit: text.optional(),
    status: text.optional(),
    order: z.number().int().optional(),
    headline: z.boolean().optional(),
    max: z.number().optional(),
    min: z.number().optional(),
    links: z.array(LinkSchema).max(20).optional(),
    text: words.optional(),
    value: z.number().optional(),
    /** Of checks, over their last runs. */
    check: z
      .strictObject({
        selector: SelectorSchema,
        measure: z.enum(['uptime', 'latency']),
        window: duration.optional().meta({ default: '1h' }),
      })
      .optional(),
    /** What the first of these items has at a path. */
    config: z
      .strictObject({
        selector: SelectorSchema,
        field: z
          .string()
          .max(1_000)
          .refine(
            (path) => tryParseJsonPath(path) !== null,
            'is not a JSONPath: write $.name, $.list[0], $[*] or $..name',
          ),
      })
      .optional(),
    /** Over `component`, `checks`, `configs` and `properties`. */
    expr: expression.optional(),
  })
  .refine((property) => [...SAID, ...COMPUTED].some((key) => property[key] !== undefined), {
    message: `Must have one of ${[...SAID, ...COMPUTED].join(', ')}`,
  })
  .refine((property) => COMPUTED.filter((key) => property[key] !== undefined).length <= 1, {
    message: `Must have only one of ${COMPUTED.join(', ')}`,
  })
export type TopologyProperty = z.output<typeof PropertySchema>

const ComponentCheckSchema = z
  .strictObject({ selector: SelectorSchema.optional(), inline: CanarySpecSchema.optional() })
  .refine(({ selector, inline }) => (selector === undefined) !== (inline === undefined), {
    message: 'Must have either a selector or inline',
  })

const LogSelectorSchema = z.strictObject({ name: required.max(200), type: text.optional(), labels: labels.optional() })

const COMPONENT_FIELDS = {
  text: text.optional(),
  icon: text.optional(),
  tooltip: text.optional(),
  description: words.optional(),
  labels: labels.optional(),
  owner: text.optional(),
  namespace: text.optional(),
  hidden: z.boolean().optional(),
  lifecycle: text.optional(),
  properties: z.array(PropertySchema).max(MAX_LISTED).optional(),
  /** Other components that become its parts, too. */
  selectors: selectors.optional(),
  checks: z.array(ComponentCheckSchema).max(MAX_LISTED).optional(),
  /** Items of the catalog that it stands for. */
  configs: selectors.optional(),
  logSelectors: z.array(LogSelectorSchema).max(MAX_LISTED).optional(),
  /** Over `summary` and `self`. */
  statusExpr: expression.optional(),
  healthExpr: expression.optional(),
}

const LOOKUP_FIELDS = {
  /** Items of the catalog. */
  configs: selectors.optional(),
  http: z.array(HttpElementSchema).max(MAX_LISTED).optional(),
  sql: z.array(SqlElementSchema).max(MAX_LISTED).optional(),
  exec: z.array(ExecElementSchema).max(MAX_LISTED).optional(),
}

/** What is found becomes a component each. */
const LookupSchema = z
  .strictObject(LOOKUP_FIELDS)
  .refine((lookup) => Object.values(lookup).some((elements) => (elements?.length ?? 0) > 0), {
    message: `Must have one of ${Object.keys(LOOKUP_FIELDS).join(', ')}`,
  })
export type TopologyLookup = z.output<typeof LookupSchema>

/** What each component has that was looked up; `$(item.name)` in a text is an expression over what was found. */
const ForEachSchema = z.strictObject({
  ...COMPONENT_FIELDS,
  name: required.max(500).optional(),
  type: text.optional(),
  get components(): z.ZodOptional<typeof siblings> {
    return siblings.optional()
  },
})

const ComponentSchema = z
  .strictObject({
    ...COMPONENT_FIELDS,
    name: required.max(500),
    type: text.optional(),
    get components(): z.ZodOptional<typeof siblings> {
      return siblings.optional()
    },
    lookup: LookupSchema.optional(),
    forEach: ForEachSchema.optional(),
  })
  .refine(({ lookup, forEach }) => forEach === undefined || lookup !== undefined, {
    message: 'says what each has that is looked up: name a lookup',
    path: ['forEach'],
  })

const siblings: z.ZodType<TopologyComponent[]> = z
  .array(ComponentSchema)
  .max(MAX_CHILDREN)
  .superRefine((components, context) => {
    const taken = new Set<string>()
    for (const [index, { name, type }] of components.entries()) {
      const key = JSON.stringify([type ?? '', name])
      if (taken.has(key)) {
        const message = 'Another one beside it has this type and name'
        context.addIssue({ code: 'custom', path: [index, 'name'], message })
      }
      taken.add(key)
    }
  })

export interface TopologyComponent extends z.output<z.ZodObject<typeof COMPONENT_FIELDS>> {
  readonly name: string
  readonly type?: string | undefined
  readonly components?: readonly TopologyComponent[] | undefined
  readonly lookup?: TopologyLookup | undefined
  readonly forEach?: TopologyTemplate | undefined
}
export type TopologyTemplate = Omit<TopologyComponent, 'name' | 'lookup' | 'forEach'> & {
  readonly name?: string | undefined
}

const schedule = z
  .string()
  .max(100)
  .refine(
    (written) => tryParseSchedule(written) !== null,
    'Must be a cron schedule, @daily and the like, or @every 10m',
  )

/**
 * Components that are named, and where others are looked up. A topology that says something of itself (type, icon, text, properties)
 * is a component too, above them.
 */
export const TopologySpecSchema = z
  .strictObject({
    schedule: schedule.optional().meta({ default: DEFAULT_TOPOLOGY_SCHEDULE }),
    type: text.optional(),
    icon: text.optional(),
    text: text.optional(),
    properties: z.array(PropertySchema).max(MAX_LISTED).optional(),
    /** Of all its components; `label` is the one label that another console writes. */
    labels: labels.optional(),
    label: text.optional(),
    owner: text.optional(),
    components: siblings.optional(),
  })
  .superRefine((spec, context) => {
    const path = findTooDeep(spec.components ?? [], hasRoot(spec) ? 2 : 1)
    if (path)
      context.addIssue({
        code: 'custom',
        path: ['components', ...path],
        message: `Stands below more than ${MAX_TOPOLOGY_LEVELS - 1} others`,
      })
  })
export type TopologySpec = z.output<typeof TopologySpecSchema>

/** Whether the specification describes a component of its own above all others. */
export const hasRoot = ({ type, icon, text: title, properties }: TopologySpec): boolean =>
  [type, icon, title, properties].some((said) => said !== undefined)

function findTooDeep(components: readonly TopologyComponent[], level: number): (string | number)[] | null {
  for (const [index, { components: below = [], lookup, forEach }] of components.entries()) {
    if (level > MAX_TOPOLOGY_LEVELS) return [index]
    const path = findTooDeep(below, level + 1)
    if (path) return [index, 'components', ...path]
    if (!lookup) continue
    if (level + 1 > MAX_TOPOLOGY_LEVELS) return [index, 'lookup']
    const found = findTooDeep(forEach?.components ?? [], level + 2)
    if (found) return [index, 'forEach', 'components', ...found]
  }
  return null
}

/** Every expression of a spec, with where it stands: whoever can read expressions asks them. */
export function expressionsOf(
  spec: TopologySpec,
): { readonly path: string; readonly expression: string; readonly sees: 'summary' | 'parts' }[] {
  const found: ReturnType<typeof expressionsOf> = []
  const ofProperties = (properties: readonly TopologyProperty[] = [], path: string): void => {
    for (const [index, { expr }] of properties.entries())
      if (expr !== undefined) found.push({ path: `${path}properties.${index}.expr`, expression: expr, sees: 'parts' })
  }
  const visit = (component: TopologyComponent | TopologyTemplate, path: string): void => {
    ofProperties(component.properties, path)
    for (const name of ['statusExpr', 'healthExpr'] as const) {
      const written = component[name]
      if (written !== undefined) found.push({ path: `${path}${name}`, expression: written, sees: 'summary' })
    }
    for (const [index, child] of (component.components ?? []).entries()) visit(child, `${path}components.${index}.`)
    if ('forEach' in component && component.forEach) visit(component.forEach, `${path}forEach.`)
  }
  ofProperties(spec.properties, '')
  for (const [index, component] of (spec.components ?? []).entries()) visit(component, `components.${index}.`)
  return found
}
