// 2,025 components of five levels over the 10,000 checks of the same profile: each check below one of them.
import { LARGE_CANARIES, LARGE_GROUP_AREAS, LARGE_TEAMS, largeArea, largeCheck } from './largeCanaries.ts'
import type { TopologySeed } from './seedTopologies.ts'

/** Parts of a group, and which of them stand below which service: ten checks each. */
const SERVICES: readonly (readonly number[])[] = [[0], [1], [2], [3, 4]]

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

const group = (canary: number) => ({
  name: `group ${String(canary).padStart(3, '0')}`,
  type: 'Group',
  components: SERVICES.map((parts, service) => ({
    name: `service ${canary}-${service}`,
    type: 'Service',
    components: parts.map((part) => ({
      name: `part ${canary}-${part}`,
      type: 'Part',
      checks: [{ selector: { namespace: largeArea(canary), name: `${largeCheck(canary, part * 10).slice(0, -1)}*` } }],
    })),
  })),
})

export const largeTopology = (): TopologySeed => ({
  id: '01980000-0000-7000-8000-000000000013',
  name: 'Large estate',
  namespace: 'demo',
  spec: {
    schedule: '@every 1h',
    labels: { demo: 'true' },
    components: LARGE_TEAMS.map((team, at) => ({
      name: `team ${team}`,
      type: 'Team',
      components: numbers(LARGE_GROUP_AREAS)
        .filter((area) => area % LARGE_TEAMS.length === at)
        .map((area) => ({
          name: largeArea(area),
          type: 'Area',
          components: numbers(LARGE_CANARIES)
            .filter((canary) => canary % LARGE_GROUP_AREAS === area)
            .map((canary) => group(canary)),
        })),
    })),
  },
})
