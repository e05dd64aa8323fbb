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

describe('commands', () => {
  it('are every button of a toolbar', () => {
    expect(toolbars.length).toBeGreaterThanOrEqual(PARTS.length + 2)
    const strangers = toolbars.filter(({ text }) => /<(?:Icon)?Button\b/.test(text))
    expect(strangers.map(({ path }) => path)).toEqual([])
  })

  it('are offered in every part of a toolbar', () => {
    const silent = toolbars.filter(({ text }) => !/<CommandButton\b|useCommand\(/.test(text))
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  it('are the controls that a screen puts into its header', () => {
    const controls = web.flatMap(({ path, text }) =>
      [...text.matchAll(/<PageHeader\b[^]*?\bcontrols=\{\n([^]*?)\n {8}\}/g)].map(([, inner = '']) => ({
        path,
        inner,
      })),
    )
    expect(controls.length).toBeGreaterThan(1)
    expect(controls.filter(({ inner }) => /<(?:Icon)?Button\b/.test(inner)).map(({ path }) => path)).toEqual([])
  })
})
