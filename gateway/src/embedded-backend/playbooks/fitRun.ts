// Whether what someone asks a run for fits the playbook: what it is to run on, and what its parameters name. A form offers only what
// fits; what is sent without one is asked here.
import { can, type Resource, type Role } from '@watchroom/shared/access'
import { isUuid, ownValue } from '@watchroom/shared/kernel'
import {
  type Parameter,
  parameterLabel,
  type PlaybookSpec,
  TARGET_KINDS,
  type TargetKind,
  targetKindsOf,
} from '@watchroom/shared/playbooks'
import { ofAnyAgent, type ResourceSelector, SEARCH_KINDS, type SearchKind } from '@watchroom/shared/resources'
import type { Pool } from 'pg'

import { findMeant } from '../resources/findResources.ts'
import type { Target } from './readScope.ts'

type Database = Pick<Pool, 'query'>

export const SELECTORS = { check: 'checks', component: 'components', config: 'configs' } as const satisfies Record<
  TargetKind,
  SearchKind
>
/** Events of a kind start a playbook on what they are about, whether it is offered there or not; so it may be run there again. */
const EVENTS = { check: 'canary', component: 'component', config: 'config' } as const
const WORDS = { check: 'checks', component: 'components', config: 'config items' } as const

/** All that are there. */
const ANY: readonly ResourceSelector[] = [{ agent: 'all' }]

export interface TargetQuestion {
  readonly spec: Pick<PlaybookSpec, 'checks' | 'components' | 'configs' | 'on'>
  readonly target: Target
  /** Of whoever asks. */
  readonly roles: readonly Role[]
}

/** @returns why the playbook is not to run there, in words for whoever asked; null when it may */
export async function targetFault(database: Database, { spec, target, roles }: TargetQuestion): Promise<string | null> {
  const selectors = (kind: TargetKind) => spec[SELECTORS[kind]] ?? []
  if (target === null) {
    const kinds = targetKindsOf(spec)
    if (kinds.length === 0) return null
    return `this playbook runs on ${kinds.map((kind) => WORDS[kind]).join(' or ')}: provide ${kinds.map((kind) => `${kind}_id`).join(' or ')}`
  }
  const { kind, id } = target
  const list = SELECTORS[kind]
  const own = selectors(kind)
  const isOfEvents = (spec.on?.[EVENTS[kind]]?.length ?? 0) > 0
  if (own.length === 0 && !isOfEvents) return `${kind}_id: this playbook does not run on ${WORDS[kind]}`
  const lists = [...(own.length === 0 ? [] : [ofAnyAgent(own)]), ...(isOfEvents ? [ANY] : [])]
  const meant = can(roles, 'read', SEARCH_KINDS[list]) ? await findMeant(database, { kind: list, id }, lists) : []
  return meant.some(Boolean) ? null : `${kind}_id: this playbook is not offered for it`
}

export interface ParameterQuestion {
  readonly parameters: readonly Parameter[]
  /** Texts by name, each of the form that its type asks for. */
  readonly values: Readonly<Record<string, string>>
  readonly roles: readonly Role[]
}

/** @returns which parameter names something that is not there, is not among what it offers, or is not to be seen by who asked */
export async function namedFault(
  database: Database,
  { parameters, values, roles }: ParameterQuestion,
): Promise<string | null> {
  for (const parameter of parameters) {
    const id = ownValue(values, parameter.name) ?? ''
    const read = READ_NAMED.get(parameter.type ?? '')
    if (read === undefined || !isUuid(id)) continue
    const isThere = can(roles, 'read', read.resource) && (await read.isThere(database, id, parameter))
    if (!isThere) return `${parameterLabel(parameter)}: Must be one of those offered`
  }
  return null
}

interface NamedRead {
  readonly resource: Resource
  readonly isThere: (database: Database, id: string, parameter: Parameter) => Promise<boolean>
}

const ofKind = (kind: SearchKind): NamedRead => ({
  resource: SEARCH_KINDS[kind],
  isThere: async (database, id, { properties }) => {
    const filter = properties?.filter ?? []
    const [isMeant = false] = await findMeant(database, { kind, id }, [filter.length === 0 ? ANY : ofAnyAgent(filter)])
    return isMeant
  },
})

/** By the type of a parameter. */
const READ_NAMED: ReadonlyMap<string, NamedRead> = new Map<string, NamedRead>([
  ...TARGET_KINDS.map((kind): [string, NamedRead] => [kind, ofKind(SELECTORS[kind])]),
  ['people', ofKind('people')],
  [
    'team',
    {
      resource: 'database',
      isThere: async (database, id) => {
        const { rowCount } = await database.query('select from teams where id = $1 and deleted_at is null', [id])
        return rowCount === 1
      },
    },
  ],
])
