// Removes from packages what no page needs, or not at first, and what the Content-Security-Policy forbids.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

import type { Plugin } from 'vite'

import { replaceOnce } from './replaceOnce.ts'

const ADOPTED_STYLE = resolve(import.meta.dirname, '../src/editor/createAdoptedStyle.ts')

/**
 * Removes Blueprint's loader for icons by name, which brings the table of all names and two chunks of 100 kB.
 * We import icons one by one; an icon given as a string shows nothing and logs an error.
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
 * Lets the editor create its style sheets by script: the Content-Security-Policy forbids `<style>` elements.
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
    return `import { createAdoptedStyle } from '${ADOPTED_STYLE}'\n${replaced}`
  },
}

/**
 * Blueprint's icons contain every drawing twice, for grids of 16 and 20 pixels. We use one stroke weight at any size, and the
 * second drawings of some sixty icons would add several kilobytes to the first load.
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

/**
 * Blueprint composes its class names from templates when it loads, and bundlers keep unused templates: evaluating one might have an effect.
 * As plain strings, unused names are dropped.
 */
const classNamesAsTexts: Plugin = {
  name: 'watchroom:class-names-as-texts',
  apply: 'build',
  transform(code, id) {
    if (!id.endsWith('@blueprintjs/core/lib/esm/common/classes.js')) return null
    const known = new Map([['NS', 'bp6']])
    replaceOnce(code, id, 'let NS = "bp6"', '')
    return code.replaceAll(/^export const (\w+) = `([^`]+)`;$/gm, (_line, name: string, parts: string) => {
      const text = parts.replaceAll(
        /\$\{(\w+)\}/g,
        (_part, of: string) => known.get(of) ?? this.error(`${name} is made of ${of}`),
      )
      known.set(name, text)
      return `export const ${name} = '${text}';`
    })
  },
}

/** Parts of Blueprint that no page starts with: the path of each, and the prefixes of the classes that only it uses. */
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

/** A block of rules or keyframes, or a single rule with its selectors. */
const STYLE_RULE = /@[^{};]+\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}|([^{}]+)\{[^{}]*\}/g

/** Whether every selector names one of these classes outside of `:not()`. Blocks stay where they are. */
function areOf(selectors: string | undefined, stems: readonly string[]): boolean {
  const each = selectors?.replaceAll(/:not\([^()]*\)/g, '').split(',')
  return each?.every((selector) => stems.some((stem) => selector.includes(`.bp6-${stem}`))) ?? false
}

/**
 * Moves the rules that only such parts need out of Blueprint's style sheet, into a sheet that loads with the part. That is a quarter of
 * a sheet that blocks every script. The placeholder of a file input cost even more: its selector depends on a sibling, which makes the
 * browser restyle far more elements whenever some are added, most of all while a long table scrolls.
 */
const stylesOfLateParts: Plugin = {
  name: 'watchroom:styles-of-late-parts',
  apply: 'build',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith(PART_STYLES) ? id : null),
  load(id) {
    if (!id.startsWith(PART_STYLES)) return null
    const stems = LATE_PARTS[id.slice(PART_STYLES.length, -'.css'.length)] ?? []
    const css = readFileSync(
      `${import.meta.dirname}/../../node_modules/@blueprintjs/core/lib/css/blueprint.css`,
      'utf8',
    )
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

/** The live link speaks WebSocket only (shared/src/protocol/SPEC.md), by a transport that it brings: those of Engine.IO are never opened. */
const withoutOtherTransports: Plugin = {
  name: 'watchroom:without-other-transports',
  apply: 'build',
  load: (id) => (id.endsWith('engine.io-client/build/esm/transports/index.js') ? 'export const transports = {}' : null),
  // One of them waits for the end of the page, whether or not anything uses it.
  transform: (code, id) =>
    id.includes('engine.io-client/build/esm/transports/') ? { code, moduleSideEffects: false } : null,
}

const JSON_SCHEMA = 'watchroom:zod-json-schema'

/**
 * Keeps zod's conversion to JSON Schema out of the first load: seven kilobytes that only the forms of canaries use. Schemas reach
 * that code through a table, which the code fills itself wherever `z.toJSONSchema` is imported.
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

export const lighterPackages: readonly Plugin[] = [
  withoutIconLoader,
  withoutLargeIcons,
  classNamesAsTexts,
  stylesOfLateParts,
  withoutOtherTransports,
  zodJsonSchemaWhereUsed,
  editorWithoutStyleElements,
]
