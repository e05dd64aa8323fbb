import { describe, expect, it } from 'vitest'

import * as breakpoints from '../../web/src/ui/breakpoints.ts'
import { listFiles, readSources, readText } from './sources.ts'

// What every screen is made of has one home. A second one would look, sound and fail in a way of its own.

const web = readSources('web/src')

/** Lines that use `pattern` outside the named homes. */
function usesOutside(pattern: RegExp, homes: readonly string[]): string[] {
  return web
    .filter(({ path }) => !homes.some((home) => path.startsWith(home)))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
    )
}

const isModule = (path: string): boolean => path.endsWith('.module.css')

/** Style sheets without their comments; the theme is where colors and sizes have their values. */
const sheets = listFiles('web/src', /\.css$/)
  .filter((path) => path !== 'web/src/ui/theme.css')
  .map((path) => ({ path, rules: readText(path).replaceAll(/\/\*[^]*?\*\//g, '') }))
const modules = sheets.filter(({ path }) => isModule(path))

/** The steps of space, in pixels. */
const STEPS = new Set(
  [...readText('web/src/ui/theme.css').matchAll(/--wr-space-\d: (\d+)px/g)].map(([, px]) => Number(px)),
)

/** A line between two parts, or the width of a ring: no space. */
const HAIRLINE = 3

/** What makes room for a thing of a known width, and half steps in dense rows. Whoever mends one strikes it; none comes back. */
const OFF_THE_STEPS: Readonly<Record<string, readonly number[]>> = {
  'app/palette/palette.module.css': [96],
  'app/shell.module.css': [6, 14, 26],
  'collab/collab.css': [5, 6, 10],
  'features/catalog-list/catalogList.module.css': [6],
  'features/check-panel/checkPanel.module.css': [6],
  'features/config-item/configItem.module.css': [6],
  'features/docs/docs.module.css': [6],
  'features/health-board/components/board.module.css': [6, 22, 34],
  'features/health-board/components/filters.module.css': [20],
  'features/health-board/healthBoard.module.css': [6],
  'features/incident-room/evidence/evidence.module.css': [6, 28, 34, 54, 80, 106],
  'features/incident-room/incidentRoom.module.css': [5, 6, 28, 30, 50],
  'features/scrapers/scrapers.module.css': [22],
  'features/sign-in/signIn.module.css': [20, 112],
  'features/users/users.module.css': [6],
  'features/wallboard/wall.module.css': [6, 10, 14],
  'ui/config/config.module.css': [6],
  'ui/installation/installation.module.css': [96],
  'ui/table/ResourceTable.module.css': [6],
  'ui/ui.css': [6],
}

/** Selectors of a module one by one, without the steps of animations and without the classes of others. */
function selectorsOf(rules: string): string[] {
  const blocks = rules.replaceAll(/@keyframes[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '')
  return (
    [...blocks.matchAll(/([^{};]+)\{/g)]
      .map(([, prelude = '']) => prelude.trim())
      .filter((prelude) => !prelude.startsWith('@'))
      // At commas outside of brackets.
      .flatMap((prelude) => prelude.replaceAll(/:global\([^)]*\)/g, '').split(/,(?![^()]*(?:\([^()]*\)[^()]*)*\))/))
      .map((selector) => selector.trim())
  )
}

describe('the kit of the web', () => {
  it('has tables in web/src/ui/table alone', () => {
    expect(usesOutside(/<table\b/, ['web/src/ui/table/'])).toEqual([])
  })

  it('has the frames of fields and their faults in web/src/ui alone', () => {
    expect(
      usesOutside(/<(?:FormGroup|Alert)\b|\bsetTried\b|\bbp6-(?:form-group|input|label)\b/, ['web/src/ui/']),
    ).toEqual([])
  })

  it('asks again for what failed in its own parts, which show a refusal as one: there nobody is helped by trying again', () => {
    // Who someone is has to be known before anything can be refused to them.
    const homes = [
      'web/src/ui/',
      'web/src/features/sign-in/',
      'web/src/app/SignedIn.tsx',
      'web/src/app/SessionFailure.tsx',
    ]
    const strangers = web.filter(
      ({ path, text }) => !homes.some((home) => path.startsWith(home)) && /<ErrorState\b[^>]*\bonRetry/.test(text),
    )
    expect(strangers.map(({ path }) => path)).toEqual([])
  })

  it('says in web/src/ui alone that there is nothing at an address', () => {
    // What is no page at all is another thing.
    expect(usesOutside(/no .*\bat this address/, ['web/src/ui/NotFound.tsx', 'web/src/app/StatusPages.tsx'])).toEqual(
      [],
    )
  })

  it('says why something failed in a cell that everyone can read in full', () => {
    // In the drawer of failed events the whole reason names the row.
    const homes = ['web/src/ui/table/', 'web/src/features/event-queue/FailedEvents.tsx']
    expect(usesOutside(/title: 'Why'/, homes)).toEqual([])
  })

  it('has tabs that say whether they are disabled: Blueprint’s arrow keys skip those that do not', () => {
    expect(web.filter(({ text }) => /<Tab\s(?!\s*disabled=)/.test(text)).map(({ path }) => path)).toEqual([])
  })

  it('names what the query cache holds in web/src/api alone', () => {
    expect(usesOutside(/\b(?:query|mutation)Key:\s*\[|setQueryData\(\s*\[/, ['web/src/api/'])).toEqual([])
  })

  it('has the widths at which screens change in web/src/ui/breakpoints.ts alone', () => {
    expect(usesOutside(/\((?:max|min)-width/, ['web/src/ui/breakpoints.ts'])).toEqual([])
  })

  it('keeps raw colors to the theme, and to palettes that have names', () => {
    const raw = /#[\da-f]{3,8}\b|\brgba?\(|\bhsla?\(/i
    const strangers = sheets.filter(({ rules }) => raw.test(rules.replaceAll(/--[\w-]+:[^;]*;/g, '')))
    expect(strangers.map(({ path }) => path)).toEqual([])
    const palettes = sheets.filter(({ rules }) => raw.test(rules)).map(({ path }) => path)
    expect(palettes).toEqual([
      'web/src/collab/collab.css',
      'web/src/features/wallboard/wall.module.css',
      'web/src/ui/code/code.module.css',
      'web/src/ui/log-view/logView.module.css',
      'web/src/ui/table/JobStatus.module.css',
    ])
    // Pictures that no sheet reaches: the icon of the tab, and our own.
    const drawn = web.filter(({ text }) => raw.test(text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')))
    expect(drawn.map(({ path }) => path)).toEqual(['web/src/ui/Logo.tsx', 'web/src/ui/useFailureBadge.ts'])
  })

  /** Values of properties of space and type, each with the pixels in it. */
  const sizes = sheets.flatMap(({ path, rules }) =>
    [
      ...rules.matchAll(/(?<![\w-])(font-size|border-radius|(?:row-|column-)?gap|(?:padding|margin)[\w-]*):([^;{}]*)/g),
    ].map(([rule, property = '', value = '']) => ({
      path,
      rule,
      property,
      pixels: [...value.matchAll(/(?<![\w.])(\d+)px/g)].map(([, px]) => Number(px)),
    })),
  )

  it('takes sizes of type, corners and spaces from the theme', () => {
    const strangers = sizes.filter(({ property, pixels }) =>
      pixels.some((px) => property === 'font-size' || (property === 'border-radius' ? px > HAIRLINE : STEPS.has(px))),
    )
    expect(strangers.map(({ path, rule }) => `${path} ${rule}`)).toEqual([])
  })

  it('has no spaces off the steps, but for those that are named here', () => {
    const spaces = sizes.filter(({ property }) => property !== 'font-size' && property !== 'border-radius')
    const off = sheets.flatMap(({ path }) => {
      const own = spaces.filter((each) => each.path === path).flatMap(({ pixels }) => pixels)
      const strange = new Set(own.filter((px) => px > HAIRLINE && !STEPS.has(px)))
      return strange.size === 0
        ? []
        : [[path.slice('web/src/'.length), [...strange].toSorted((a, b) => a - b)] as const]
    })
    expect(Object.fromEntries(off)).toEqual(OFF_THE_STEPS)
  })

  it('changes shape at the named widths alone', () => {
    const named = new Set(Object.values(breakpoints).map((query) => Number(/\d+/.exec(query)?.[0])))
    const strangers = sheets
      // The sizes of dialogs are those of the first specification, section 9.
      .filter(({ path }) => path !== 'web/src/ui/sizedDialog.css')
      .flatMap(({ path, rules }) =>
        [...rules.matchAll(/\((max|min)-width: (\d+)px\)/g)]
          // One pixel apart: `max-width: 719px` ends where `min-width: 720px` begins.
          .filter(([, end, px]) => !named.has(Number(px)) && !named.has(Number(px) - (end === 'min' ? 1 : 0)))
          .map(([media]) => `${path} ${media}`),
      )
    expect(strangers).toEqual([])
  })
})

describe('tests of the web', () => {
  /** Those that test what is drawn, or a part that has no role. Whoever mends one strikes it; none comes back. */
  const byClass = [
    'tests/web/app/Shell.test.tsx',
    'tests/web/collab/CollabText.test.tsx',
    'tests/web/collab/PresenceAvatars.test.tsx',
    'tests/web/collab/RejectedTray.test.tsx',
    'tests/web/editor/YamlEditor.test.tsx',
    'tests/web/editor/styleAttributes.test.ts',
    'tests/web/features/playbooks/components/RunPlaybookDialog.test.tsx',
    'tests/web/features/wallboard/reducedMotion.test.ts',
    'tests/web/ui/CheckTypeIcon.test.tsx',
    'tests/web/ui/HoverCard.test.tsx',
    'tests/web/ui/Popover.test.tsx',
    'tests/web/ui/SizedDialog.test.tsx',
    'tests/web/ui/StatusGlyph.test.tsx',
    'tests/web/ui/VirtualRows.test.tsx',
    'tests/web/ui/chart/TimeChart.test.tsx',
    'tests/web/ui/config/ConfigLink.test.tsx',
    'tests/web/ui/skeletonMotion.test.tsx',
    'tests/web/ui/table/Why.test.tsx',
    'tests/web/ui/time-range/TimeRangePicker.test.tsx',
    'tests/web/ui/toaster.test.ts',
    'e2e/journeys/accessibility.spec.ts',
    'e2e/journeys/check-panel.spec.ts',
    'e2e/journeys/wallboard.spec.ts',
    'e2e/journeys/war-room-tree.spec.ts',
    'e2e/journeys/what-changed.spec.ts',
    'e2e/pages/CanaryPage.ts',
    'e2e/pages/HealthPage.ts',
    'e2e/pages/IncidentPage.ts',
  ]

  it('look for roles and names, never for classes, but for those that are named here', () => {
    const selector =
      /\b(?:querySelector(?:All)?(?:<[^>]*>)?|closest|matches|locator)\(\s*(['"`])(?:(?!\1)[^])*?(?:\.[a-z]|\[class)/i
    const looking = ['tests/web', 'e2e']
      .flatMap((folder) => listFiles(folder, /\.tsx?$/))
      .filter((path) => {
        const text = readText(path).replaceAll(/\$\{[^}]*\}/g, '')
        return selector.test(text) || /\.class(?:List|Name)\b/.test(text)
      })
    expect(looking.toSorted()).toEqual(byClass.toSorted())
  })
})

describe('styles of the web', () => {
  it('are modules in features and in the app', () => {
    const plain = sheets.filter(({ path }) => /^web\/src\/(?:app|features)\//.test(path) && !isModule(path))
    expect(plain.map(({ path }) => path)).toEqual([])
  })

  it('touch nothing outside their module: each selector names a class of its own', () => {
    const leaks = modules.flatMap(({ path, rules }) =>
      selectorsOf(rules)
        .filter((selector) => !/\.[a-z]/i.test(selector))
        .map((selector) => `${path} ${selector}`),
    )
    expect(leaks).toEqual([])
  })

  it('have every class that is asked for, and no other', () => {
    const mistakes = modules.flatMap(({ path, rules }) => {
      const own = new Set(
        selectorsOf(rules).flatMap((selector) => [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name)),
      )
      const readers = web.filter(({ imports }) => imports.some(({ target }) => target === path))
      const asked = new Set(
        readers.flatMap(({ text }) => [...text.matchAll(/styles\['([\w-]+)'\]/g)].map(([, name]) => name)),
      )
      return [
        ...[...asked].filter((name) => !own.has(name)).map((name) => `${path} lacks .${name}`),
        ...[...own].filter((name) => !asked.has(name)).map((name) => `${path} .${name} is not used`),
      ]
    })
    expect(mistakes).toEqual([])
  })
})
