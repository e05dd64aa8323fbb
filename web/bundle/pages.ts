// The pages of the product: one for all addresses, and others for those where people come in.
import type { Plugin } from 'vite'

import { OPENED, SHARED_FILES, toModuleId } from './files.ts'
import { replaceOnce } from './replaceOnce.ts'
import { FIRST_QUESTIONS, THEME } from './scriptsAtHand.ts'

/** Where most people come in. */
const FEW_FILES = new Set(['index', 'topology', 'health', 'catalog'])
/** A browser has six connections: as many scripts again, of a few bytes each, are not felt. */
const MOST_FILES = 12

/** What more than one of them begins with. */
const SHARED = new Set<string>(['screens', ...SHARED_FILES])

/**
 * Tells V8 to compile the functions of a script while it arrives, beside the page; else each is compiled when it is first called, in the
 * page's way. For what pages begin with: most of that is called at once.
 */
export const compiledWhileArriving: Plugin = {
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

/** Writes the pages of single addresses, which the gateway sends there instead of the common one. */
export const pagesOfAddresses: Plugin = {
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
