import { describe, expect, it } from 'vitest'

import { readSources } from './sources.ts'

// The palette offers what the buttons of toolbars do. It learns of them from `CommandButton` and `useCommand`, so that a toolbar
// without either would have buttons that no key reaches.

const web = readSources('web/src')

/** Parts of toolbars that have a file of their own. */
const PARTS = [
  'web/src/app/AttachEvidence.tsx',
  'web/src/app/ViewLogs.tsx',
  'web/src/features/check-panel/components/CheckPanelFooter.tsx',
  'web/src/features/check-panel/components/RunCheck.tsx',
  'web/src/features/health-board/components/RefreshRate.tsx',
  'web/src/features/incident-room/components/RoomHeader.tsx',
  'web/src/features/incident-room/components/StatusMenu.tsx',
  'web/src/features/incident-room/evidence/DownloadSnapshot.tsx',
  'web/src/features/playbooks/components/ApprovalsInbox.tsx',
  'web/src/features/playbooks/components/TargetPlaybooks.tsx',
  'web/src/features/playbooks/screens/PlaybookRunsScreen.tsx',
  'web/src/features/wallboard/components/OpenWallboard.tsx',
  'web/src/ui/PageHeader.tsx',
  'web/src/ui/table/ColumnsMenu.tsx',
]
const toolbars = web.filter(({ path, text }) => PARTS.includes(path) || /role="toolbar"/.test(text))

/** A button that the palette does not learn of by itself. */
const RAW = /<(?:Icon|Anchor)?Button\b|<button\b/
const isCommand = (body: string): boolean => /<CommandButton\b|\buseCommand\(/.test(body)

/** Menus, whose items the palette does not list: there is one on each card. */
const MENUS: ReadonlySet<string> = new Set(['ComponentMenu'])

/** What a screen puts beside its title, written there or handed to it by the page. */
function slotsIn(text: string): string[] {
  const given = [...text.matchAll(/\b(?:controls|renderControls|renderTools)=\{/g)].map(({ 0: start, index }) =>
    toClosing(text, index + start.length),
  )
  const named = [...text.matchAll(/^( *)const (?:controls|render(?:Controls|Tools|Actions))\b[^]*?\n(?=\1\S|\n)/gm)]
  const kept = text.matchAll(/\n *renderControls: \([^)\n]*\) => <.*/g)
  return [...given, ...[...named, ...kept].map(([statement]) => statement)]
}

/** From a place within braces to the one that closes them. */
function toClosing(text: string, from: number): string {
  let depth = 1
  let end = from
  for (; depth > 0 && end < text.length; end += 1) depth += text[end] === '{' ? 1 : text[end] === '}' ? -1 : 0
  return text.slice(from, end - 1)
}

const namesIn = (text: string): string[] => [...text.matchAll(/<([A-Z]\w*)/g)].map(([, name = '']) => name)

/** The component of this name, of the file that names it before others; nothing where it is a package's. */
function bodyOf(name: string, from: string): string | undefined {
  const definition = new RegExp(
    String.raw`\n(?:export )?(?:function ${name}\b[^]*?\n}\n|const ${name} = \([^]*?\n(?:\n|$))`,
  )
  const near = web.filter(({ path }) => path === from)
  return [...near, ...web].flatMap(({ text }) => definition.exec(text)?.[0] ?? [])[0]
}

describe('commands', () => {
  it('are every button of a toolbar', () => {
    expect(toolbars.length).toBeGreaterThanOrEqual(PARTS.length + 2)
    const strangers = toolbars.filter(
      ({ text }) => /<(?:Icon)?Button\b/.test(text) || (/<AnchorButton\b/.test(text) && !/useCommand\(/.test(text)),
    )
    expect(strangers.map(({ path }) => path)).toEqual([])
  })

  it('are offered in every part of a toolbar', () => {
    const silent = toolbars.filter(({ text }) => !/<CommandButton\b|useCommand\(/.test(text))
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  it('are the controls that a screen puts into its header, whichever component draws them', () => {
    const parts = new Map<string, string>()
    const visit = (name: string, from: string): void => {
      const body = parts.has(name) || MENUS.has(name) ? undefined : bodyOf(name, from)
      if (body === undefined) return
      parts.set(name, body)
      // Behind a command are dialogs and lists with buttons of their own.
      if (!isCommand(body)) for (const inner of namesIn(body)) visit(inner, from)
    }
    const slots = web.flatMap(({ path, text }) => slotsIn(text).map((slot) => ({ path, slot })))
    for (const { path, slot } of slots) for (const name of namesIn(slot)) visit(name, path)
    expect(slots.filter(({ slot }) => RAW.test(slot))).toEqual([])
    expect([...parts].filter(([, body]) => RAW.test(body) && !/useCommand\(/.test(body)).map(([name]) => name)).toEqual(
      [],
    )
    // Those that several screens have, found through the component that stands in the header.
    expect([...parts.keys()]).toEqual(
      expect.arrayContaining(['WhatChanged', 'RunScraper', 'RunTopology', 'RunControls']),
    )
  })
})
