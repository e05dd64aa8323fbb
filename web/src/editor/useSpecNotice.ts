import { useMemo } from 'react'

import { programNotice } from './programNotice.ts'
import { unjudgedNotice } from './unjudgedNotice.ts'

interface SpecNotice {
  /** The spec, as it stands in the form. */
  text: string
  /** As it is saved; absent: it is new. */
  stored?: string
  /** Why the person may not save programs; null: as far as is known they may. */
  programRefusal: string | null
  /** Why the backend does not refuse by our schemas; null: it does, as the form does. */
  unjudged: string | null
  /** What is wrong with a text by our schemas. The same function on each render: a text is read once. */
  findFault: (text: string) => string | null
}

/** What to know of a spec before it is saved, in the words that a form shows above itself. */
export const useSpecNotice = ({
  text,
  stored,
  programRefusal,
  unjudged,
  findFault,
}: SpecNotice): { title: string; text: string } | null =>
  useMemo(
    () => programNotice(programRefusal, text, stored) ?? unjudgedNotice(unjudged, () => findFault(text)),
    [programRefusal, text, stored, unjudged, findFault],
  )
