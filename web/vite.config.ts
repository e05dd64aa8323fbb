import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'

import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Where the gateway listens during development; the dev server forwards everything that is not the client itself. */
const gatewayUrl = process.env['WATCHROOM_GATEWAY'] ?? 'http://127.0.0.1:3000'

/**
 * Takes Blueprint's loader of icons by name out of the build: it brings the table of all names and two chunks of 100 kB.
 * Ours are imported one by one; an icon given as a string shows nothing and says so in the console.
 */
const withoutIconLoader: Plugin = {
  name: 'watchroom:without-icon-loader',
  apply: 'build',
  load(id) {
    if (!id.endsWith('@blueprintjs/icons/lib/esm/iconLoader.js')) return null
    return `export class Icons {
      static getPaths() { return undefined }
      static async load(icon) { console.error('icon given as a string: ' + icon) }
    }`
  },
}

/**
 * Lets the editor make its style sheets by script: a `<style>` element is what the Content-Security-Policy forbids.
 * Only in the build: the development server sends no policy.
 */
const editorWithoutStyleElements: Plugin = {
  name: 'watchroom:editor-without-style-elements',
  apply: 'build',
  transform(code, id) {
    if (!id.endsWith('monaco-editor/esm/vs/base/browser/domStylesheets.js')) return null
    const make = "document.createElement('style')"
    const append = 'container.appendChild(style);'
    if (!code.includes(make) || !code.includes(append)) this.error('Monaco makes its style sheets in another way now')
    const replaced = code.replace(make, 'createAdoptedStyle()').replace(append, '')
    return `import { createAdoptedStyle } from '${import.meta.dirname}/src/editor/createAdoptedStyle.ts'\n${replaced}`
  },
}

/** Replaces text of a module and refuses to build when it is not there: a new version of the package needs a new look. */
function replaceOnce(code: string, id: string, from: string, to: string): string {
  if (!code.includes(from)) throw new Error(`${id} has changed: look at web/vite.config.ts`)
  return code.replace(from, to)
}

/**
 * Blueprint's icons bring every drawing twice, for a grid of 16 and one of 20 pixels. Ours are lines of one weight at any
 * size: the second drawing of some sixty icons would be several kilobytes of the first load.
 */
const withoutLargeIcons: Plugin = {
  name: 'watchroom:without-large-icons',
  apply: 'build',
  transform(code, id) {
    if (id.endsWith('@blueprintjs/icons/lib/esm/svgIconContainer.js')) {
      return replaceOnce(code, id, 'isLarge ? IconSize.LARGE : IconSize.STANDARD', 'IconSize.STANDARD')
    }
    if (!/@blueprintjs\/icons\/lib\/esm\/generated\/components\/[^/]+\.js$/.test(id)) return null
    return replaceOnce(code, id, 'isLarge ? PATHS_20 : PATHS_16', 'PATHS_16')
  },
}

/** Parts of Blueprint that no page begins with: where each of them is, and how the classes begin that only it has. */
const LATE_PARTS: Readonly<Record<string, readonly string[]>> = {
  'breadcrumbs/': ['breadcrumb'],
  'button/buttonGroup': ['button-group'],
  'card-list/': ['card-list'],
  'control-card/': ['control-card'],
  'dialog/dialogStep': ['dialog-step'],
  'dialog/multistepDialog': ['multistep-dialog'],
  'editable-text/': ['editable-text'],
  'entity-title/': ['entity-title'],
  'forms/fileInput': ['file-input', 'file-upload'],
  'html-table/': ['html-table'],
  'navbar/': ['navbar'],
  'panel-stack/': ['panel-stack2'],
  'tag-input/': ['tag-input'],
  'tag/compoundTag': ['compound-tag'],
  'tree/': ['tree'],
}
const PART_STYLES = '/blueprint-part/'

/** A block of rules or of frames, or a single rule with its selectors. */
const STYLE_RULE = /@[^{};]+\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}|([^{}]+)\{[^{}]*\}/g

/** Whether every selector names one of these classes, outside of `:not()`. What is in a block stays where it is. */
function areOf(selectors: string | undefined, stems: readonly string[]): boolean {
  const each = selectors?.replaceAll(/:not\([^()]*\)/g, '').split(',')
  return each?.every((selector) => stems.some((stem) => selector.includes(`.bp6-${stem}`))) ?? false
}

/**
 * Takes what only such parts need out of Blueprint's style sheet, and brings it along with the part, if anything imports it: a quarter of the
 * sheet, and no script runs before it is read. The placeholder of a field for files did even more: a part of an element that depends on its
 * neighbor makes the browser work out the style of far more elements whenever some are added, most of that work while a long table scrolls.
 */
const stylesOfLateParts: Plugin = {
  name: 'watchroom:styles-of-late-parts',
  apply: 'build',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith(PART_STYLES) ? id : null),
  load(id) {
    if (!id.startsWith(PART_STYLES)) return null
    const stems = LATE_PARTS[id.slice(PART_STYLES.length, -'.css'.length)] ?? []
    const css = readFileSync(`${import.meta.dirname}/../node_modules/@blueprintjs/core/lib/css/blueprint.css`, 'utf8')
    return [...css.matchAll(STYLE_RULE)].flatMap(([rule, selectors]) => (areOf(selectors, stems) ? rule : [])).join('')
  },
  transform(code, id) {
    if (id.endsWith('@blueprintjs/core/lib/css/blueprint.css')) {
      const stems = Object.values(LATE_PARTS).flat()
      const lost = stems.filter((stem) => !code.includes(`.bp6-${stem}`))
      if (lost.length > 0) this.error(`Blueprint has no styles of these any more: ${lost.join(', ')}`)
      return code.replaceAll(STYLE_RULE, (rule: string, selectors?: string) => (areOf(selectors, stems) ? '' : rule))
    }
    const [, path] = /@blueprintjs\/core\/lib\/esm\/components\/(.+)\.js$/.exec(id) ?? []
    const part = path && Object.keys(LATE_PARTS).find((name) => path.startsWith(name))
    return part ? `import '${PART_STYLES}${part}.css'\n${code}` : null
  },
}

/** The live link speaks WebSocket only (shared/src/protocol/SPEC.md): the other transports of Engine.IO are never opened. */
const withoutOtherTransports: Plugin = {
  name: 'watchroom:without-other-transports',
  apply: 'build',
  load(id) {
    if (!id.endsWith('engine.io-client/build/esm/transports/index.js')) return null
    return `import { WS } from './websocket.js'
      export const transports = { websocket: WS }`
  },
}

/** A script outside the bundle. Under a name that says what is in it, a browser has it at hand and asks nobody. */
function scriptAtHand(name: string, path: string): { readonly fileName: string; readonly source: string } {
  // Without what it says to those who read it here.
  const source = readFileSync(`${import.meta.dirname}/src/${path}`, 'utf8').replaceAll(/^ *(?:\/\/.*\n)?/gm, '')
  return { fileName: `assets/${name}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`, source }
}

const THEME_PATH = 'preferences/firstTheme.js'
const THEME = scriptAtHand('theme', THEME_PATH)

/** The page waits for its theme before it reads on; in the page itself the Content-Security-Policy would not let the script run. */
const themeAtHand = (): Plugin => {
  const { fileName, source } = THEME
  return {
    name: 'watchroom:theme-at-hand',
    apply: 'build',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => replaceOnce(html, 'index.html', `src="/src/${THEME_PATH}"`, `vite-ignore src="/${fileName}"`),
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

const JSON_SCHEMA = 'watchroom:zod-json-schema'

/**
 * Takes out of the first load how zod turns schemas into JSON Schema, seven kilobytes that only the forms of canaries use: its
 * schemas reach that code through a table, which the code itself fills where `z.toJSONSchema` is imported.
 */
const zodJsonSchemaWhereUsed: Plugin = {
  name: 'watchroom:zod-json-schema-where-used',
  apply: 'build',
  resolveId: (id) => (id === JSON_SCHEMA ? id : null),
  load: (id) => (id === JSON_SCHEMA ? 'export const table = {}' : null),
  transform(code, id) {
    if (id.endsWith('zod/v4/classic/schemas.js')) {
      const methods = ['createStandardJSONSchemaMethod', 'createToJSONSchemaMethod']
      const processors = 'import * as processors from "../core/json-schema-processors.js";'
      const rest = replaceOnce(code, id, processors, `import { table as processors } from '${JSON_SCHEMA}'`)
      return replaceOnce(
        rest,
        id,
        `import { ${methods.join(', ')} } from "../core/to-json-schema.js";`,
        methods.map((name) => `const ${name} = (...from) => (to) => processors.${name}(...from)(to)`).join('\n'),
      )
    }
    if (!id.endsWith('zod/v4/core/json-schema-processors.js')) return null
    const exported = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
    return `${code}
      import * as methods from './to-json-schema.js'
      import { table } from '${JSON_SCHEMA}'
      Object.assign(table, methods, { ${exported.join(', ')} })`
  },
}

/** Bytes of JavaScript, gzip, that `/health` may load unasked: three quarters of a second on a slow phone. */
const FIRST_LOAD_LIMIT = 230_000
/** What `/health` loads by itself, before anyone touches the page; e2e/journeys/first-load.spec.ts asks the browser whether this is all. */
const FIRST_SCREEN = [
  'app/HealthPage.tsx',
  'app/CredentialNotice.tsx',
  'features/health-board/components/FilterPanel.tsx',
  'features/health-board/components/RefreshRate.tsx',
].map((path) => `${import.meta.dirname}/src/${path}`)

const onFirstScreen = new Set<string>()
/** Of packages only what is large: their tables of contents name everything that they have. */
const isOnFirstScreen = (id: string): boolean =>
  SMALL_PARTS.test(id) ||
  (onFirstScreen.has(id) &&
    (id.includes('/web/src/') || (id.includes('/node_modules/@tanstack/') && !OF_FORMS.test(id))))
/** One icon, topic or rule: each as a file of its own would cost a request, and half of its bytes once more. */
const SMALL_PARTS =
  /\/(?:components\/(?:caret-up|collapse-all|desktop|double-caret-vertical|expand-all|filter|plus|settings|th-list|html-select\/htmlSelect)\.js|ui\/TimeAgo\.tsx|(?:topics\/(?:checks|silences)|createSilenceFinder)\.ts)$/
/** Named by the tables of contents alone. */
const OF_FORMS = /\/(?:useBlocker|useMutation|mutationObserver|mutationOptions)\.js$/

/** The addresses whose screens begin with a module of the client, by its ID. Those of the first screen are in files of their own. */
const beginners = new Map<string, Set<string>>()
const LISTS = new Set(['catalog', 'catalog/changes', 'catalog/insights', 'incidents'])
/** What dashboard and catalog need of packages, and what of them the dashboard shares with others than the catalog. */
const OF_PARTS = /\/(?:components\/(?:more|small-cross)\.js|utils\/compareUtils\.js|classic\/coerce\.js)$/
const OF_PANELS =
  /\/(?:components\/(?:pause|play)\.js|tag\/tag\.js|classic\/iso\.js|topology\/component(?:Health)?\.ts)$/

/** Where most people come in. */
const FEW_FILES = new Set(['index', 'topology', 'health', 'catalog'])
/** A browser has six connections: as many scripts again, of a few bytes each, are not felt. */
const MOST_FILES = 12

/** In the order in which they take modules: each brings along what its own need, unless one before has it. */
const SHARED_FILES = ['parts', 'panels', 'dashboard', 'lists', 'catalog'] as const

/**
 * The file that a module goes into. Screens begin with dozens of small modules: a file each, they would stand in line for the six
 * connections of a browser, before everything that the page asks. What the dashboard and the catalog share is one file, what the
 * dashboard shares with other areas is another, what else it begins with a third, and so are long lists and what pages of the catalog
 * have in common.
 */
function fileOf(id: string): (typeof SHARED_FILES)[number] | null {
  if (isOnFirstScreen(id)) return null
  if (OF_PARTS.test(id)) return 'parts'
  if (OF_PANELS.test(id)) return 'panels'
  const addresses = [...(beginners.get(id) ?? [])]
  const areas = new Set(addresses.map((address) => (address === 'index' ? 'topology' : address.split('/')[0])))
  if (addresses.includes('index')) {
    if (areas.size === 1 && !/\/src\/(?:ui|live|api)\//.test(id)) return 'dashboard'
    return addresses.includes('catalog') ? 'parts' : 'panels'
  }
  if (!addresses.includes('catalog')) return null
  if (areas.size > 1) return addresses.every((address) => LISTS.has(address)) ? 'lists' : 'parts'
  return addresses.length > 1 ? 'catalog' : null
}

/** Finds what the first screen is made of, for the chunks, and refuses a build that makes it load too much. */
const firstLoad: Plugin = {
  name: 'watchroom:first-load',
  apply: 'build',
  buildEnd() {
    const find = (id: string): void => {
      if (onFirstScreen.has(id)) return
      onFirstScreen.add(id)
      for (const imported of this.getModuleInfo(id)?.importedIds ?? []) find(imported)
    }
    for (const id of FIRST_SCREEN) find(id)
    for (const [address, modules] of Object.entries(OPENED)) {
      const follow = (id: string): void => {
        const known = beginners.get(id) ?? new Set()
        if (known.has(address) || onFirstScreen.has(id) || !id.includes('/web/src/')) return
        beginners.set(id, known.add(address))
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) follow(imported)
      }
      for (const module of modules) follow(toModuleId(module))
    }
  },
  // Behind Vite, which writes into the chunks what each of them loads along.
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const chunks = new Map(
        Object.values(bundle).flatMap((output) => (output.type === 'chunk' ? [[output.fileName, output]] : [])),
      )
      const loaded = new Set<string>()
      const load = (fileName: string): void => {
        if (loaded.has(fileName)) return
        loaded.add(fileName)
        for (const imported of chunks.get(fileName)?.imports ?? []) load(imported)
      }
      for (const { fileName, isEntry, moduleIds } of chunks.values()) {
        if (isEntry || moduleIds.some((id) => FIRST_SCREEN.includes(id))) load(fileName)
      }
      const sizes = [...loaded].map((fileName) => gzipSync(chunks.get(fileName)?.code ?? '', { level: 9 }).length)
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      const text = `/health loads ${bytes} bytes of JavaScript (gzip, ${loaded.size} files) unasked`
      if (bytes > FIRST_LOAD_LIMIT) this.error(`${text}; ${FIRST_LOAD_LIMIT} may be.`)
      this.info(`${text}.`)
    },
  },
}

/** What the screen of an address begins with. Its page names these scripts, else the frame has to run before a browser hears of them. */
const OPENED: Readonly<Record<string, readonly string[]>> = {
  // Where `/` leads.
  index: ['TopologyPage.tsx'],
  topology: ['TopologyPage.tsx'],
  'topology/$id': ['screenParts.ts', 'TopologyPage.tsx', '../features/topology/panel/ComponentPanel.tsx'],
  health: ['HealthPage.tsx'],
  incidents: ['screenParts.ts', '../features/incident-list/screens/IncidentListScreen.tsx'],
  'incidents/$id': ['screenParts.ts', 'IncidentPage.tsx'],
  catalog: ['CatalogPage.tsx'],
  'catalog/changes': ['catalogParts.ts', 'ChangesPage.tsx'],
  'catalog/insights': ['catalogParts.ts', 'InsightsPage.tsx'],
  'catalog/$id': ['catalogParts.ts', 'ConfigPage.tsx'],
  logs: ['screenParts.ts', 'LogsPage.tsx'],
  playbooks: ['screenParts.ts', '../features/playbooks/screens/PlaybooksScreen.tsx'],
}

/** Of a module of the client, named as above. */
const toModuleId = (module: string): string => resolve(import.meta.dirname, 'src/app', module)

/** What more than one of them begins with. */
const SHARED = new Set<string>(['screens', ...SHARED_FILES])

/**
 * Tells V8 to compile the functions of a script while it arrives, beside the page; else each is compiled when it is first called, in the
 * page's way. For what pages begin with: most of that is called at once.
 */
const compiledWhileArriving: Plugin = {
  name: 'watchroom:compiled-while-arriving',
  apply: 'build',
  // Behind Vite, which writes into the chunks what each of them loads along: it counts in the first line alone.
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const opened = new Set(Object.values(OPENED).flat().map(toModuleId))
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue
        const { isEntry, name, moduleIds } = output
        const isFirst = isEntry || SHARED.has(name) || moduleIds.some((id) => opened.has(id))
        if (isFirst) output.code = `//# allFunctionsCalledOnLoad\n${output.code}`
      }
    },
  },
}

/** What the pages of these addresses ask before their scripts are there. */
const FIRST_QUESTIONS = scriptAtHand('first', 'api/firstQuestions.js')

/** Writes the pages of single addresses, which the gateway sends there instead of the common one. */
const pagesOfAddresses: Plugin = {
  name: 'watchroom:pages-of-addresses',
  apply: 'build',
  // Behind Vite, which makes the common page here.
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') this.error('there is no page to begin with')
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
      const chunkOf = (fileName: string) => chunks.find((chunk) => chunk.fileName === fileName)
      const withImports = (fileNames: readonly string[], found = new Set<string>()): Set<string> => {
        for (const fileName of fileNames.filter((name) => !found.has(name))) {
          found.add(fileName)
          withImports(chunkOf(fileName)?.imports ?? [], found)
        }
        return found
      }
      const known = withImports(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
      /** As when they are imported: behind those of what a script imports. */
      const stylesOf = (fileNames: readonly string[], seen = new Set<string>()): string[] =>
        fileNames.flatMap((fileName) => {
          if (seen.has(fileName)) return []
          seen.add(fileName)
          const { imports, viteMetadata } = chunkOf(fileName) ?? {}
          const before = stylesOf(
            (imports ?? []).filter((name) => !known.has(name)),
            seen,
          )
          return [...before, ...(viteMetadata?.importedCss ?? [])]
        })
      this.emitFile({ type: 'asset', ...FIRST_QUESTIONS })
      // Before all others: the questions take as long as they take, and nothing runs before the theme.
      const first = [
        `<script async fetchpriority="high" src="/${FIRST_QUESTIONS.fileName}"></script>`,
        `<link rel="preload" as="script" href="/${THEME.fileName}" />`,
        '<title>',
      ].join('\n    ')
      const common = replaceOnce(String(page.source), 'index.html', '<title>', first)
      for (const [address, modules] of Object.entries(OPENED)) {
        const ids = modules.map(toModuleId)
        const begun = ids.map((id) => chunks.find(({ moduleIds }) => moduleIds.includes(id))?.fileName)
        const lost = ids.filter((_, at) => begun[at] === undefined)
        if (lost.length > 0) this.error(`${address} begins with what is not there: ${lost.join(', ')}`)
        const files = [...withImports(begun.filter((name) => name !== undefined))].filter((name) => !known.has(name))
        if (FEW_FILES.has(address) && files.length > MOST_FILES) {
          this.error(`${address} begins with ${files.length} files, ${MOST_FILES} may be: ${files.join(', ')}`)
        }
        const links = [
          ...stylesOf(files).map((fileName) => `    <link rel="stylesheet" crossorigin href="/${fileName}">\n`),
          ...files.map((fileName) => `    <link rel="modulepreload" crossorigin href="/${fileName}">\n`),
        ]
        const source = replaceOnce(common, 'index.html', '  </head>', `${links.join('')}  </head>`)
        this.emitFile({ type: 'asset', fileName: `pages/${address}.html`, source })
      }
    },
  },
}

export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [
    react(),
    withoutIconLoader,
    withoutLargeIcons,
    stylesOfLateParts,
    withoutOtherTransports,
    zodJsonSchemaWhereUsed,
    editorWithoutStyleElements,
    themeAtHand(),
    compiledWhileArriving,
    firstLoad,
    pagesOfAddresses,
  ],
  resolve: {
    // A second React would cost 45 kB and break every hook that crosses it.
    dedupe: ['react', 'react-dom'],
    // monaco-yaml 5.5.1 names Monaco's files as they were before 0.56.
    alias: [{ find: /^monaco-editor\/esm\/vs\/(.*)$/, replacement: 'monaco-editor/$1' }],
  },
  worker: { format: 'es' },
  // Else the first visit of an editor in development reloads the page.
  optimizeDeps: { include: ['monaco-yaml', 'monaco-yaml/yaml.worker', 'monaco-editor/editor'] },
  // Blueprint reads a bare NODE_ENV for its development checks; undefined, they stay on in production.
  define: { NODE_ENV: JSON.stringify(mode) },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // What a part needs is named where it is asked for. In the first load that is long: only what people wait for the longest.
    modulePreload: {
      resolveDependencies: (part, needs, { hostId }) =>
        !/\/(?:index|screens|HealthPage)-/.test(hostId) || /IncidentScreen|CheckPanel/.test(part)
          ? needs
          : needs.filter((file) => file.endsWith('.css')),
    },
    // A data: URL would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    // Kilobytes. The editor is one chunk of more than three megabytes, loaded where text is edited and nowhere else.
    chunkSizeWarningLimit: 4_500,
    // Modules of `shared` and of Engine.IO only define things: what a page does not use may go.
    rolldownOptions: {
      treeshake: {
        moduleSideEffects: [{ test: /\/shared\/src\/|\/engine\.io-client\/build\/esm\//, sideEffects: false }],
      },
      output: {
        codeSplitting: {
          // A few large files instead of sixty small ones: they compress better together, and each costs a request.
          groups: [
            { name: 'app', tags: ['$initial'], priority: 2 },
            { name: 'screens', test: isOnFirstScreen, minShareCount: 2, priority: 1 },
            { name: 'BoardTools', test: /health-board\/components\/(?:FilterPanel|RefreshRate)\.tsx$/ },
            ...SHARED_FILES.map((name) => ({ name, test: (id: string) => fileOf(id) === name })),
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: {
      // The gateway compares Origin with Host, so both have to stay the browser's.
      '/api': { target: gatewayUrl },
      '/gateway': { target: gatewayUrl },
      '/socket.io': { target: gatewayUrl, ws: true },
      '/collab': { target: gatewayUrl, ws: true },
    },
  },
}))
