// Scripts that a page runs before its bundle has loaded.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

import type { Plugin } from 'vite'

import { replaceOnce } from './replaceOnce.ts'

/** A script outside the bundle. Its name contains a hash of its content, so that the browser can cache it for good. */
function scriptAtHand(name: string, path: string): { readonly fileName: string; readonly source: string } {
  // Without indentation and comments.
  const source = readFileSync(`${import.meta.dirname}/../src/${path}`, 'utf8').replaceAll(/^ *(?:\/\/.*\n)?/gm, '')
  return { fileName: `assets/${name}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`, source }
}

const THEME_PATH = 'preferences/firstTheme.js'
export const THEME = scriptAtHand('theme', THEME_PATH)

/** Blocks parsing until the theme is set. The Content-Security-Policy would not let it run inline. */
export const themeAtHand = (): Plugin => {
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

/** What the pages of single addresses request before their scripts have loaded. */
export const FIRST_QUESTIONS = scriptAtHand('first', 'api/firstQuestions.js')
