import { act } from 'react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { dialog, fieldOf } from '#support/web/dialogForm.ts'
import { json } from '#support/web/fakeServer.ts'
import { setField } from '#support/web/setField.ts'

import { RoomParts } from '../../../web/src/app/IncidentPage.tsx'
import { EvidenceList } from '../../../web/src/features/incident-room/evidence/EvidenceList.tsx'
import {
  CHECK,
  CHECK_EVIDENCE,
  type EvidencePage,
  openEvidencePage,
  QUEUE,
} from '../features/incident-room/evidencePage.tsx'

let opened: EvidencePage
beforeEach(async () => {
  opened = await openEvidencePage()
  const { server } = opened
  server.on(`GET /api/playbook/list?check_id=${CHECK}`, () => json([{ id: 'p1', name: 'restart' }]))
  server.on('POST /api/playbook/p1/params', () => json({ params: [{ name: 'reason' }] }))
  const spec = { checks: [{}], actions: [] }
  server.on('GET /api/db/playbooks', () => json([{ id: 'p1', name: 'restart', title: 'Restart it', spec }]))
})
afterEach(() => opened.close())

describe('playbooks on evidence', () => {
  it('keep their dialog, and what is typed in it, when someone else removes the evidence', async () => {
    await opened.show(
      <RoomParts>
        <EvidenceList hypothesisId={QUEUE} />
      </RoomParts>,
    )
    const { screen } = opened
    const menu = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Playbooks')
    await screen.click(menu ?? null)
    await screen.waitFor(() => expect(document.querySelector('[role="menuitem"]')?.textContent).toBe('Restart it'))
    await screen.click(document.querySelector('[role="menuitem"]'))
    await screen.waitFor(() => expect(dialog()?.textContent).toContain('reason'))
    const input = () => fieldOf('reason')
    await setField(input(), 'it hangs')
    await act(async () => opened.ana.edit.removeEvidence(CHECK_EVIDENCE))
    await opened.settle()
    await screen.advance(300)
    expect(document.querySelector('[data-evidence]')).toBeNull()
    expect(input()).toMatchObject({ value: 'it hangs' })
  })
})
