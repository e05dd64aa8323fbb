/** Second specification, section 8. */
export const MARKING_FAILED = 'Marking evidence as part of definition of done failed'
export const REMOVING_FAILED = 'Removing evidence from definition of done failed'
