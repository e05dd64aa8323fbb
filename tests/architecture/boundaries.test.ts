import { describe, expect, it } from 'vitest'

import { type Import, listFiles, readSources, readText, type Source } from './sources.ts'

const shared = readSources('shared/src')
const gateway = readSources('gateway/src')
const web = readSources('web/src')

/** Imports that a rule forbids, as "file -> import" lines, so that a failure names the place. */
function offences(sources: Source[], isForbidden: (source: Source, imported: Import) => boolean): string[] {
  return sources.flatMap((source) =>
    source.imports
      .filter((imported) => isForbidden(source, imported))
      .map((imported) => `${source.path} -> ${imported.specifier}`),
  )
}

/** The folder below `src`, for example `live` for gateway/src/live/hub.ts; features count with their area. */
function unitOf(path: string | undefined): string {
  const [, , first = '', second = ''] = path?.split('/') ?? []
  return first === 'features' ? `features/${second}` : first
}

describe('shared', () => {
  it('imports nothing but zod, the document library and itself', () => {
    const allowed = (specifier: string): boolean =>
      specifier === 'zod' || specifier === 'yjs' || specifier.startsWith('lib0/')
    expect(offences(shared, (_, { specifier, target }) => !target && !allowed(specifier))).toEqual([])
  })

  it('keeps yjs in collab', () => {
    const isDocumentLibrary = /^(?:yjs|y-\w+|lib0)(?:\/|$)/
    const strangers = ({ path }: Source, { specifier }: Import): boolean =>
      isDocumentLibrary.test(specifier) && unitOf(path) !== 'collab'
    expect(offences([...shared, ...gateway, ...web], strangers)).toEqual([])
  })

  it('points from protocol and collab to domains to kernel, never back', () => {
    const rank = (path: string | undefined): number => {
      const unit = unitOf(path)
      if (unit === 'kernel') return 0
      return unit === 'protocol' || unit === 'collab' ? 2 : 1
    }
    expect(offences(shared, ({ path }, { target }) => target !== undefined && rank(target) > rank(path))).toEqual([])
  })
})

describe('gateway', () => {
  const wiring = new Set(['main.ts', 'app'])
  /** Programs of their own that run checks and steps; what runs them is shared, see check-runner and step-runner. */
  const runsChecks = new Set(['embedded-backend', 'agent'])

  it('lets a capability import itself, the platform and contracts of others, nothing else', () => {
    expect(
      offences(gateway, ({ path }, { target, isTypeOnly }) => {
        if (!target?.startsWith('gateway/src/') || wiring.has(unitOf(path))) return false
        const unit = unitOf(target)
        if (unit === unitOf(path) || unit === 'platform') return false
        const isRunner = runsChecks.has(unitOf(path)) || unitOf(path) === 'step-runner'
        if (unit === 'check-runner') return !isRunner
        if (unit === 'step-runner') return !runsChecks.has(unitOf(path))
        if (unit === 'executor' && isRunner) return false
        return !(isTypeOnly && target.endsWith('/contract.ts'))
      }),
    ).toEqual([])
  })

  it('reaches the embedded backend only through its supervisor and its contract', () => {
    const doors = new Set(['gateway/src/embedded-backend/supervisor.ts', 'gateway/src/embedded-backend/contract.ts'])
    expect(
      offences(gateway, ({ path }, { target }) => {
        if (!target?.startsWith('gateway/src/embedded-backend/')) return false
        return unitOf(path) !== 'embedded-backend' && !doors.has(target)
      }),
    ).toEqual([])
  })
})

describe('agent', () => {
  it('is a program of its own: nobody imports it', () => {
    expect(offences(gateway, ({ path }, { target }) => unitOf(path) !== 'agent' && unitOf(target) === 'agent')).toEqual(
      [],
    )
  })
})

describe('web', () => {
  const ground = new Set(['live', 'api', 'collab', 'editor', 'url', 'preferences', 'ui'])

  it('lets a feature import itself and the ground, never another feature', () => {
    expect(
      offences(web, ({ path }, { target }) => {
        if (!target?.startsWith('web/src/') || !unitOf(path).startsWith('features/')) return false
        const unit = unitOf(target)
        return unit !== unitOf(path) && !ground.has(unit)
      }),
    ).toEqual([])
  })

  it('lets the ground import no feature and no wiring', () => {
    expect(
      offences(web, ({ path }, { target }) => {
        if (!target?.startsWith('web/src/') || !ground.has(unitOf(path))) return false
        const unit = unitOf(target)
        return unit.startsWith('features/') || unit === 'app' || unit === 'main.tsx'
      }),
    ).toEqual([])
  })

  it('keeps ui free of data: no live, api or collab', () => {
    const data = new Set(['live', 'api', 'collab'])
    expect(offences(web, ({ path }, { target }) => unitOf(path) === 'ui' && data.has(unitOf(target)))).toEqual([])
  })
})

describe('one home for what is easy to spread', () => {
  const all = [...shared, ...gateway, ...web]

  /** Lines that use `pattern` outside the named homes. */
  function usesOutside(sources: Source[], pattern: RegExp, homes: string[]): string[] {
    return sources
      .filter(({ path, text }) => pattern.test(text) && !homes.some((home) => path.startsWith(home)))
      .map(({ path }) => path)
  }

  it('opens live sockets in web/src/live alone', () => {
    expect(
      offences(all, ({ path }, { specifier }) => specifier === 'socket.io-client' && !path.startsWith('web/src/live/')),
    ).toEqual([])
  })

  it('fetches in web/src/api alone', () => {
    expect(usesOutside(web, /(?<![.\w])fetch\(/, ['web/src/api/'])).toEqual([])
  })

  it('registers routes by defineRoute alone, but for upgrades and the two pipes that carry calls on', () => {
    expect(
      usesOutside(gateway, /\bapp\.(?:get|post|put|patch|delete|head|options|all|route)[(<]/, [
        'gateway/src/platform/http/defineRoute.ts',
        'gateway/src/collab/',
        'gateway/src/proxy/plugin.ts',
        'gateway/src/embedded-backend/server/databaseRoutes.ts',
      ]),
    ).toEqual([])
  })

  it('learns that a caller has gone from callerSignal alone, which also knows of those who went before', () => {
    expect(usesOutside(gateway, /\.raw\.(?:once|on)\(/, ['gateway/src/platform/http/callerSignal.ts'])).toEqual([])
  })

  it('knows what one kind of shared document says in its own folder alone', () => {
    const collab = gateway.filter(({ path }) => path.startsWith('gateway/src/collab/'))
    expect(usesOutside(collab, /incident/i, ['gateway/src/collab/documents/incident/'])).toEqual([])
    const kinds = 'gateway/src/collab/documents/'
    expect(
      offences(
        collab,
        ({ path }, { target }) => !path.startsWith(kinds) && target !== undefined && target.startsWith(kinds),
      ),
    ).toEqual([])
  })

  it('stores preferences in web/src/preferences alone', () => {
    expect(
      usesOutside(web, /\b(?:localStorage|sessionStorage|atomWithStorage)\b/, ['web/src/preferences/', 'web/public/']),
    ).toEqual([])
  })

  it('writes rows of the backend in web/src/api alone: nothing is overwritten unseen there', () => {
    const write = /\/api\/db\/(?:(?!\n\n|\/api\/)[^])*?\bmethod: '(?:POST|PATCH|PUT|DELETE)'/
    expect(usesOutside(web, write, ['web/src/api/'])).toEqual([])
  })

  it('starts timers through the clock alone', () => {
    expect(
      usesOutside(all, /(?<![.\w])(?:setTimeout|setInterval)\(|\bAbortSignal\.timeout\(/, [
        'gateway/src/platform/clock.ts',
        'web/src/live/clock.ts',
        // Asks a server to stop when the check is over, and its clock with it.
        'gateway/src/check-runner/postgresClient.ts',
      ]),
    ).toEqual([])
  })

  it('makes forms of web/src/ui/form alone: no frames and no faults of their own', () => {
    const frame = /^import \{[^}]*\bFormGroup\b[^}]*\} from '@blueprintjs\/core'/m
    expect(usesOutside(web, frame, ['web/src/ui/'])).toEqual([])
    expect(usesOutside(web, /\bset\w*Tried\b/, ['web/src/ui/'])).toEqual([])
    expect(
      offences(web, ({ path }, { specifier }) => {
        const isFormLibrary = specifier === 'react-hook-form' || specifier.startsWith('@hookform/')
        return isFormLibrary && !path.startsWith('web/src/ui/')
      }),
    ).toEqual([])
  })

  it('asks by web/src/ui/dialog/ConfirmDialog.tsx alone', () => {
    expect(usesOutside(web, /^import \{[^}]*\bAlert\b[^}]*\} from '@blueprintjs\/core'/m, [])).toEqual([])
    expect(usesOutside(web, /^\s*role="alertdialog"/m, ['web/src/ui/dialog/ConfirmDialog.tsx'])).toEqual([])
  })

  it('gives dialogs their size in web/src/ui/SizedDialog.tsx alone', () => {
    const blueprintDialog = /^import \{[^}]*\bDialog\b[^}]*\} from '@blueprintjs\/core'/m
    expect(usesOutside(web, blueprintDialog, ['web/src/ui/SizedDialog.tsx'])).toEqual([])
  })

  it('lets gateway and web not know each other', () => {
    const foreign = /^(?:@watchroom\/(?:gateway|web)|.*\.\.\/(?:gateway|web)\/)/
    expect(offences([...gateway, ...web], (_, { specifier }) => foreign.test(specifier))).toEqual([])
  })

  it('names its exports: no export *', () => {
    expect(all.filter(({ text }) => /^export \*/m.test(text)).map(({ path }) => path)).toEqual([])
  })
})

describe('docs/ARCHITECTURE.md', () => {
  it.each(['shared/src', 'gateway/src', 'gateway/src/embedded-backend', 'web/src', 'tests'])(
    'names each folder of %s in its table',
    (folder) => {
      const table = readText('docs/ARCHITECTURE.md').split('## Arrows')[0] ?? ''
      const below = listFiles(folder, /./).map((path) => path.slice(folder.length + 1).split('/'))
      const folders = [...new Set(below.filter(({ length }) => length > 1).map(([first]) => first))]
      expect(folders.length).toBeGreaterThan(3)
      const isNamed = (name: string | undefined): boolean =>
        ['', '/<area>'].some((end) => table.includes(`\`${name}${end}\``)) || table.includes(`\`${folder}/${name}\``)
      expect(folders.filter((name) => !isNamed(name))).toEqual([])
    },
  )
})
