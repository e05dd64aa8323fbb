// A sync that writes nothing: reads what a spec names, and shows the tree that there would be. Bounded like trials of scrapers: how
// long, how many at once, how much is shown.
import { NIL_UUID, type Result } from '@watchroom/shared/kernel'
import { hasRoot, TopologySpecSchema } from '@watchroom/shared/specs'
import { MAX_TRIED_COMPONENTS, type TryTopologyResponse } from '@watchroom/shared/topology'

import { SourceFault } from '../../catalog/family.ts'
import { tryReading } from '../../catalog/tryReading.ts'
import { createTrialGate, type TrialRefusal } from '../../jobs/createTrialGate.ts'
import type { JudgeRow } from '../../server/judgeWrite.ts'
import type { StoredNode } from './planSync.ts'
import { readWanted } from './readWanted.ts'
import { findLinks } from './relate.ts'
import { maskAll, planComponents, readFacts, type SyncDeps } from './runTopology.ts'
import { readStoredComponents } from './storedComponents.ts'
import type { WantedComponent } from './wanted.ts'

const MAX_TRIALS = 2
const MAX_PROBLEMS = 50

export interface TriedTopology {
  /** With its secrets in place. */
  readonly spec: Record<string, unknown>
  readonly secrets: readonly string[]
  /** Null for one that is not stored. */
  readonly id: string | null
}

export interface TopologyTrials {
  /**
   * @param personId one trial at a time each
   * @param signal ends it, for example when the person has gone
   */
  run(personId: string, tried: TriedTopology, signal: AbortSignal): Promise<Result<TryTopologyResponse, TrialRefusal>>
}

type Deps = Omit<SyncDeps, 'vault'> & { readonly judge: JudgeRow }

export function createTopologyTrials(deps: Deps): TopologyTrials {
  const gate = createTrialGate({ maxTrials: MAX_TRIALS, doing: 'trying topologies' })

  const tryOnce = async ({ spec, secrets, id }: TriedTopology, signal: AbortSignal): Promise<TryTopologyResponse> => {
    const { pool } = deps
    const parsed = TopologySpecSchema.parse(spec)
    // Of a stored one that still says what goes: all of its components.
    if (id === null && !hasRoot(parsed) && !parsed.components?.length) {
      throw new SourceFault('spec.components: Add a component')
    }
    const topology = (id === null ? null : await readFacts(pool, id)) ?? {
      id: NIL_UUID,
      name: 'topology',
      namespace: 'default',
    }
    const wanted = await readWanted(topology, parsed, { ...deps, signal, secrets })
    const stored = id === null ? [] : await readStoredComponents(pool, id)
    const shown = { ...wanted, components: maskAll(wanted.components, secrets) }
    return toResponse(shown, stored, await linkAll(deps, shown.components))
  }

  return {
    run: (personId, tried, gone) =>
      gate.run(personId, gone, () =>
        tryReading({ spec: tried.spec, judge: deps.judge, clock: deps.clock, gone }, (signal) =>
          tryOnce(tried, signal),
        ),
      ),
  }
}

interface Counted {
  readonly checks: number
  readonly configs: number
}

interface Linked {
  readonly counted: readonly Counted[]
  readonly problems: readonly string[]
}

/** What the components would be linked to. Other components are not asked about: those that are meant may be in the same spec. */
async function linkAll({ pool }: Deps, components: readonly WantedComponent[]): Promise<Linked> {
  const problems: string[] = []
  const meantBy = async (kind: 'checks' | 'configs'): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
    const rows = components.map(({ name, configId, [kind]: selectors }, index) => ({
      id: String(index),
      name,
      parentId: null,
      configId,
      selectors,
    }))
    const meant = new Map<string, Set<string>>()
    for (const link of await findLinks(pool, kind, rows, (problem) => problems.push(problem))) {
      meant.set(link.owner, (meant.get(link.owner) ?? new Set()).add(link.meant))
    }
    return meant
  }
  const [checks, configs] = [await meantBy('checks'), await meantBy('configs')]
  const counted = components.map(({ inlineChecks }, index) => ({
    checks: (checks.get(String(index))?.size ?? 0) + inlineChecks.length,
    configs: configs.get(String(index))?.size ?? 0,
  }))
  return { counted, problems }
}

function toResponse(
  { components, problems }: Awaited<ReturnType<typeof readWanted>>,
  stored: readonly StoredNode[],
  { counted, problems: unmatched }: Linked,
): TryTopologyResponse {
  const { placed, deleted } = planComponents(components, stored)
  const shown = components.slice(0, MAX_TRIED_COMPONENTS)
  const counts = { new: 0, unchanged: 0, changed: 0, moved: 0, returned: 0 }
  for (const { change } of placed) counts[change] += 1
  const names = new Map(stored.map((node) => [node.id, node]))
  return {
    total: components.length,
    counts,
    components: shown.map(({ parent, name, type, text, icon, hidden }, index) => {
      const { id = '', change = 'new' } = placed[index] ?? {}
      return {
        parent,
        name,
        type,
        text,
        icon,
        hidden,
        change,
        id: change === 'new' ? null : id,
        ...(counted[index] ?? { checks: 0, configs: 0 }),
      }
    }),
    deleted: {
      total: deleted.length,
      components: deleted.slice(0, MAX_TRIED_COMPONENTS).flatMap((id) => {
        const node = names.get(id)
        return node ? [{ id, name: node.name, type: node.type }] : []
      }),
    },
    problems: [...problems, ...unmatched].slice(0, MAX_PROBLEMS),
  }
}
