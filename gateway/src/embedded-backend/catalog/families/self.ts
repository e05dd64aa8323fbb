// The product looks at itself: what runs, what it consists of and how it is set up. One look is a few questions to the system and to
// its own database.
import type { Family } from '../family.ts'
import type { RawItem } from '../item.ts'
import { readDatabase } from './self/readDatabase.ts'
import { readHost } from './self/readHost.ts'
import { type InstallationDeps, readInstallation } from './self/readInstallation.ts'
import { createPackageReader } from './self/readPackages.ts'
import { readProcesses } from './self/readProcesses.ts'
import type { SelfItem } from './self/selfItem.ts'

const BATCH = 500

interface Deps extends InstallationDeps {
  /** Calls when a feature flag was written. */
  readonly watchFlags: (onChange: () => void) => { close(): void }
}

export function createSelfFamily(deps: Deps): Family {
  const readPackages = createPackageReader()
  return {
    name: 'self',
    async *read(_element, { clock }) {
      const found = await Promise.all([
        readInstallation(deps, clock.now()),
        readHost(),
        readProcesses(deps.version),
        readDatabase(deps.pool),
        readPackages(),
      ])
      const items = found.flat().map(toRawItem)
      for (let start = 0; start < items.length; start += BATCH) {
        yield { items: items.slice(start, start + BATCH), warnings: [] }
      }
    },
    watch: (_element, onChange) => deps.watchFlags(onChange),
  }
}

function toRawItem({ config, parent, relationships, ...facts }: SelfItem): RawItem {
  return {
    config,
    facts: {
      ...facts,
      ...(parent !== undefined && { parent: { id: parent } }),
      ...(relationships && { relationships: relationships.map(({ id, relation }) => ({ to: { id }, relation })) }),
    },
    place: { source: 'watchroom' },
  }
}
