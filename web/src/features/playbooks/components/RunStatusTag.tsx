import { capitalize, ownValue } from '@watchroom/shared/kernel'

import { type GlyphStatus, StatusGlyph } from '../../../ui/StatusGlyph.tsx'

const GLYPHS: Readonly<Record<string, GlyphStatus>> = {
  completed: 'healthy',
  failed: 'unhealthy',
  timed_out: 'unhealthy',
  running: 'running',
  waiting: 'warning',
  pending: 'warning',
  sleeping: 'paused',
  skipped: 'paused',
  cancelled: 'deleted',
}

/** The status of a run or a step, as shape and word. Unknown statuses are shown as they are. */
export function RunStatusTag({ status, isWordHidden = false }: { status: string; isWordHidden?: boolean }) {
  const word = toStatusWord(status)
  return <StatusGlyph status={ownValue(GLYPHS, status) ?? 'unknown'} word={word} isWordHidden={isWordHidden} />
}

export function toStatusWord(status: string): string {
  return status === 'pending' ? 'Needs approval' : capitalize(status.replaceAll('_', ' '))
}
