import { describe, expect, it } from 'vitest'

import { readSources } from './sources.ts'

// A key that nobody is told of is no key: `?` and the documentation list all of them.

const web = readSources('web/src')
const HELP = 'web/src/features/docs/components/KeyGroups.tsx'

/** As buttons and listeners call them, and as the help does. */
const WORDS: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  'Control+K': 'Ctrl+K',
  'Meta+K': '⌘K',
  'Control+S': 'Ctrl+S',
  'Meta+S': '⌘S',
  'Shift+ArrowLeft': 'Shift+←',
  'Shift+ArrowRight': '→',
}

/** Keys that a button announces, or that the whole page listens to. */
const DECLARED =
  /aria-keyshortcuts="([^"$]+)"|(?:shortcut|hotkey)="([^"]+)"|hotkey(?:: | = )'([^']+)'|useHotkey\('([^']+)'/g

describe('the help of keys', () => {
  it('names every key that a page listens to or a button announces', () => {
    const declared = web.flatMap(({ path, text }) =>
      [...text.matchAll(DECLARED)].flatMap((match) =>
        (match.slice(1).find(Boolean) ?? '').split(' ').map((key) => ({ path, key: WORDS[key] ?? key })),
      ),
    )
    expect(new Set(declared.map(({ key }) => key)).size).toBeGreaterThan(15)
    const help = web.find(({ path }) => path === HELP)?.text ?? ''
    const told = new Set([...help.matchAll(/\['([^']+)', '/g)].flatMap(([, keys = '']) => keys.split(' ')))
    expect(declared.filter(({ key }) => !told.has(key))).toEqual([])
  })
})
