/** The panel of a tab that is not open: a tab says which panel is its own, also while nothing is in it. */
export const NOT_OPEN = <div />
