import { GitCommit } from '@blueprintjs/icons'
import type { Suspect } from '@watchroom/shared/catalog'
import { type ReactNode, Suspense, useRef, useState } from 'react'

import { useMissing } from '../api/backendFacts.ts'
import type { EvidenceDraft } from '../api/incidentCreation.ts'
import { useMayRead } from '../api/useMayRead.ts'
import type { LensStart } from '../features/what-changed/queries.ts'
import { PHONE } from '../ui/breakpoints.ts'
import { CommandButton } from '../ui/CommandButton.tsx'
import { useHotkey } from '../ui/hotkeys.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { useMediaQuery } from '../ui/useMediaQuery.ts'
import { toRunEvidence } from './attachedRun.ts'
import { AttachEvidence } from './AttachEvidence.tsx'

const WhatChangedDialog = lazyPart(
  async () => (await import('../features/what-changed/WhatChangedDialog.tsx')).WhatChangedDialog,
)

interface WhatChangedProps {
  start: LensStart
  isIcon?: boolean
}

/** Shows what may have caused a problem, and lets people attach it as evidence. Nothing for people who may not read the catalog. */
export function WhatChanged({ start, isIcon = false }: WhatChangedProps) {
  const mayRead = useMayRead()
  const missing = useMissing('whatChanged')
  const [isOpen, setOpen] = useState(false)
  const isPhone = useMediaQuery(PHONE)
  const place = useRef<HTMLSpanElement>(null)
  const isOffered = mayRead('database', 'config') && missing === null
  useHotkey('w', () => setOpen(isOffered), place)
  if (!isOffered) return null
  return (
    <span ref={place}>
      <CommandButton
        icon={<GitCommit />}
        isIcon={isIcon || isPhone}
        command="What changed"
        aria-keyshortcuts="w"
        onClick={() => setOpen(true)}
      />
      {isOpen ? <WhatChangedOf start={start} onClose={() => setOpen(false)} /> : null}
    </span>
  )
}

/** The dialog alone, for menus. */
export function WhatChangedOf({ start, onClose }: { start: LensStart; onClose: () => void }) {
  const incidentId = start.start === 'incident' ? start.id : undefined
  return (
    <Suspense fallback={null}>
      <WhatChangedDialog
        start={start}
        renderAttach={(suspect) => renderAttach(suspect, incidentId)}
        onClose={onClose}
      />
    </Suspense>
  )
}

const renderAttach = (suspect: Suspect, incidentId: string | undefined): ReactNode => {
  const evidence = toEvidence(suspect)
  return evidence === null ? null : (
    <AttachEvidence key={suspect.id} evidence={evidence} {...(incidentId === undefined ? {} : { incidentId })} />
  )
}

/** Null for suspects that cannot become evidence. */
function toEvidence({ kind, id, title, subject, config_id: configId }: Suspect): EvidenceDraft | null {
  if (kind === 'run') return toRunEvidence({ id, title: subject })
  if (kind === 'agent' || configId === null) return null
  return { type: 'config_change', config_id: configId, config_change_id: id, description: `${subject}: ${title}` }
}
