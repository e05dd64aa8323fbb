// Scripts that a page runs before its bundle is there.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

import type { Plugin } from 'vite'

import { replaceOnce } from './replaceOnce.ts'

/** A script outside the bundle. Under a name that says what is in it, a browser has it at hand and asks nobody. */
function scriptAtHand(name: string, path: string): { readonly fileName: string; readonly source: string } {
  // Without what it says to those who read it here.
  const source = readFileSync(`${import.meta.dirname}/../src/${path}`, 'utf8').replaceAll(/^ *(?:\/\/.*\n)?/gm, '')
  return { fileName: `assets/${name}-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`, source }
}

const THEME_PATH = 'preferences/firstTheme.js'
export const THEME = scriptAtHand('theme', THEME_PATH)

/** The page waits for its theme before it reads on; in the page itself the Content-Security-Policy would not let the script run. */
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

/** What the pages of these addresses ask before their scripts are there. */
export const FIRST_QUESTIONS = scriptAtHand('first', 'api/firstQuestions.js')
