// From a spec to the components that it wants: what is named, what is looked up, and what their properties say now. Writes nothing.
import { ofAnyAgent } from '@watchroom/shared/resources'
import {
  hasRoot,
  type TopologyComponent,
  type TopologyProperty,
  type TopologySpec,
  type TopologyTemplate,
} from '@watchroom/shared/specs'

import { SourceFault } from '../../catalog/family.ts'
import { fillTexts } from './fillTexts.ts'
import { type FoundItem, findItems, type LookupDeps } from './findItems.ts'
import { readProperties } from './readProperties.ts'
import type { WantedComponent } from './wanted.ts'

export interface TopologyFacts {
  readonly id: string
  readonly name: string
  readonly namespace: string
}

export interface WantedTopology {
  /** Parents before their children. */
  readonly components: readonly WantedComponent[]
  /** What could not be used, for people. */
  readonly problems: readonly string[]
}

const MAX_COMPONENTS = 10_000
const MAX_PROBLEMS = 1_000

/** @throws SourceFault for more components than are kept */
export async function readWanted(
  topology: TopologyFacts,
  spec: TopologySpec,
  deps: LookupDeps,
): Promise<WantedTopology> {
  const expansion = createExpansion(topology, spec, deps)
  const root = hasRoot(spec) ? expansion.add(toRoot(topology, spec), null) : null
  for (const component of spec.components ?? []) await expansion.visit(component, root)
  return expansion.end()
}

/** What the topology says of itself. */
const toRoot = ({ name }: TopologyFacts, { type, icon, text, properties }: TopologySpec): TopologyComponent => ({
  name,
  type,
  icon,
  text,
  properties,
})

/** What an element makes of an item, or of none. */
interface Origin {
  readonly found?: FoundItem
  readonly isComplete?: boolean
}

type Draft = Omit<WantedComponent, 'properties'> & {
  readonly asked: readonly TopologyProperty[]
  readonly found: FoundItem['properties']
}

function createExpansion(topology: TopologyFacts, spec: TopologySpec, deps: LookupDeps) {
  const drafts: Draft[] = []
  const problems = new Set<string>()
  const taken = new Set<string>()
  const common = { ...(spec.label === undefined ? {} : toLabel(spec.label)), ...spec.labels }

  const tell = (problem: string): void => {
    if (problems.size < MAX_PROBLEMS) problems.add(problem)
  }

  /** @returns its place in the list; null where one like it stands there already */
  const add = (
    component: TopologyComponent,
    parent: number | null,
    { found, isComplete = true }: Origin = {},
  ): number | null => {
    const type = component.type ?? found?.type ?? null
    const key = JSON.stringify([parent, type ?? '', component.name])
    if (taken.has(key)) {
      tell(`${component.name}: another one beside it has this type and name`)
      return null
    }
    if (drafts.length >= MAX_COMPONENTS) throw new SourceFault(`more than ${MAX_COMPONENTS} components`)
    taken.add(key)
    const above = parent === null ? undefined : drafts[parent]
    drafts.push({
      parent,
      name: component.name,
      type,
      externalId: found?.id ?? [type, component.name].filter(Boolean).join('/'),
      configId: found?.configId ?? null,
      text: component.text ?? null,
      topologyType: spec.type ?? null,
      namespace: component.namespace ?? above?.namespace ?? topology.namespace,
      labels: { ...common, ...found?.labels, ...component.labels },
      hidden: component.hidden ?? false,
      status: found?.status ?? null,
      statusExpr: component.statusExpr ?? null,
      healthExpr: component.healthExpr ?? null,
      description: component.description ?? found?.description ?? null,
      lifecycle: component.lifecycle ?? null,
      tooltip: component.tooltip ?? null,
      icon: component.icon ?? found?.icon ?? null,
      owner: component.owner ?? spec.owner ?? null,
      asked: component.properties ?? [],
      found: found?.properties ?? [],
      selectors: ofAnyAgent(component.selectors ?? []),
      logSelectors: component.logSelectors ?? [],
      checks: ofAnyAgent((component.checks ?? []).flatMap(({ selector }) => selector ?? [])),
      inlineChecks: (component.checks ?? []).flatMap(({ inline }) => inline ?? []),
      configs: ofAnyAgent(component.configs ?? []),
      isComplete,
    })
    return drafts.length - 1
  }

  const visit = async (component: TopologyComponent, parent: number | null, found?: FoundItem): Promise<void> => {
    deps.signal.throwIfAborted()
    const { lookup } = component
    const looked = lookup === undefined ? null : await findItems(lookup, deps)
    for (const problem of looked?.problems ?? []) tell(`${component.name}: ${problem}`)
    const place = add(component, parent, { ...(found && { found }), isComplete: looked?.isComplete ?? true })
    if (place === null) return
    for (const child of component.components ?? []) await visit(child, place)
    for (const item of looked?.items ?? []) await visit(await toFound(component, item), place, item)
  }

  const toFound = async ({ name, forEach = {} }: TopologyComponent, item: FoundItem): Promise<TopologyComponent> => {
    const { filled, problems: failed } = await fillTexts<TopologyTemplate>(forEach, item.scope, deps.lookUp)
    for (const problem of failed) tell(`${name}: forEach: ${problem}`)
    return { ...filled, name: filled.name || item.name }
  }

  return {
    add,
    visit,
    end: async (): Promise<WantedTopology> => {
      const properties = await readProperties(drafts, topology.id, deps, tell)
      const components = drafts.map(({ asked: _, found, ...draft }, index): WantedComponent => ({
        ...draft,
        properties: [...found, ...(properties[index] ?? [])],
      }))
      return { components, problems: [...problems] }
    },
  }
}

/** `app=shop`, or a name alone. */
function toLabel(written: string): Record<string, string> {
  const at = written.indexOf('=')
  return at === -1 ? { [written]: '' } : { [written.slice(0, at)]: written.slice(at + 1) }
}
