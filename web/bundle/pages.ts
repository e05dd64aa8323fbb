// The HTML pages of the product: one for most addresses, and separate ones for the addresses where people arrive.
import type { Plugin } from 'vite'

import { OPENED, SHARED_FILES, toModuleId } from './files.ts'
import { replaceOnce } from './replaceOnce.ts'
import { FIRST_QUESTIONS, THEME } from './scriptsAtHand.ts'

/** The addresses where most people arrive. */
const FEW_FILES = new Set(['index', 'topology', 'health', 'catalog'])
/** A browser has six connections; as many scripts again, small ones, are not noticeable. */
const MOST_FILES = 12

/** Chunks that more than one page starts with. */
const SHARED = new Set<string>(['screens', ...SHARED_FILES])

/**
 * Tells V8 to compile all functions of a script on another thread while it downloads. Otherwise each is compiled on the main thread when it
 * is first called. Only for what pages start with, because most of that is called at once.
 */
export const compiledWhileArriving: Plugin = {
  name: 'watchroom:compiled-while-arriving',
  apply: 'build',
  // After Vite, which writes into each chunk what else it loads: the comment counts only on the first line.
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

/** Writes the pages that the gateway sends for single addresses instead of the common one. */
export const pagesOfAddresses: Plugin = {
  name: 'watchroom:pages-of-addresses',
  apply: 'build',
  // After Vite, which makes the common page here.
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
      /** In import order: the styles of a script come after those of what it imports. */
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
      // Before all others: these requests take the longest, and nothing runs before the theme.
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
