import { z } from 'zod'

export const HYPOTHESIS_TYPES = ['root', 'factor', 'solution'] as const
export type HypothesisType = (typeof HYPOTHESIS_TYPES)[number]
export const HypothesisTypeSchema = z.enum(HYPOTHESIS_TYPES)

export const HYPOTHESIS_STATUSES = ['proven', 'likely', 'possible', 'unlikely', 'improbable', 'disproven'] as const
export type HypothesisStatus = (typeof HYPOTHESIS_STATUSES)[number]
export const HypothesisStatusSchema = z.enum(HYPOTHESIS_STATUSES)

/** Why a move or a new child is refused. */
export const SOLUTION_HAS_NO_CHILDREN = 'A solution cannot get children'
/** Likewise. */
export const NOT_BELOW_ITSELF = 'A hypothesis cannot be moved below itself'

/** Type that a new child is offered: root, then factor, then solution; null where no child may be. */
export function childType(parent: HypothesisType): HypothesisType | null {
  switch (parent) {
    case 'root':
      return 'factor'
    case 'factor':
      return 'solution'
    case 'solution':
      return null
  }
}
