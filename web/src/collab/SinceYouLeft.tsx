import './collab.css'
import { Button } from '@blueprintjs/core'
import { History } from '@blueprintjs/icons'
import type { ReactNode } from 'react'

import { TimeAgo } from '../ui/TimeAgo.tsx'
import type { IncidentRoom } from './contract.ts'
import type { Digest, DigestEntry, DigestKind } from './toDigest.ts'

interface SinceYouLeftProps extends Pick<IncidentRoom, 'digest' | 'dismissDigest'> {
  /** Name of a person; undefined while unknown. */
  readonly nameOf: (personId: string) => string | undefined
  /** Shows a changed entity. */
  readonly onShow?: (entry: DigestEntry) => void
}

const NOUNS: Record<DigestKind, readonly [one: string, many: string]> = {
  incident: ['change of the incident', 'changes of the incident'],
  hypotheses: ['hypothesis', 'hypotheses'],
  comments: ['comment', 'comments'],
  evidence: ['piece of evidence', 'pieces of evidence'],
}

/** What others did while this person was away, in one line. */
export function SinceYouLeft({ digest, dismissDigest, nameOf, onShow }: SinceYouLeftProps): ReactNode {
  if (digest === null) return null
  const first = digest.entries.find(({ change, id }) => change !== 'removed' && id !== '')
  return (
    <output className="collab-banner" data-tone="news">
      <History size={16} />
      <span>
        <strong>Since you left</strong> (<TimeAgo at={digest.since} />
        ): {digestText(digest, nameOf)}
      </span>
      <span className="collab-banner-actions">
        {onShow && first ? <Button size="small" text="Show" onClick={() => onShow(first)} /> : null}
        <Button size="small" variant="minimal" text="Dismiss" onClick={dismissDigest} />
      </span>
    </output>
  )
}

/** `2 comments added, 1 hypothesis changed; Ana 2`. Changes without an author appear only in the counts. */
export function digestText(digest: Digest, nameOf: (personId: string) => string | undefined): string {
  const counts = new Map<string, { kind: DigestKind; change: DigestEntry['change']; count: number }>()
  for (const { kind, change } of digest.entries) {
    const key = `${kind} ${change}`
    const known = counts.get(key)
    counts.set(key, { kind, change, count: (known?.count ?? 0) + 1 })
  }
  const what = [...counts.values()].map(({ kind, change, count }) => {
    const noun = NOUNS[kind][count === 1 ? 0 : 1]
    return kind === 'incident' ? `${count} ${noun}` : `${count} ${noun} ${change}`
  })
  const who = digest.byAuthor.flatMap(({ authorId, count }) => {
    const name = authorId === null ? undefined : nameOf(authorId)
    return name === undefined ? [] : [`${name} ${count}`]
  })
  return who.length === 0 ? what.join(', ') : `${what.join(', ')}; ${who.join(', ')}`
}
