// The widths at which screens change their layout. Style sheets repeat the numbers, because `@media` cannot read custom
// properties; tests/architecture/kit.test.ts keeps them in sync with this list.

/** Below it the sidebar moves off the page and opens over it. */
export const PHONE = '(max-width: 639px)'

/** Below it a table folds into cards. */
export const FOLDED = '(max-width: 719px)'

/** Below it the sidebar collapses by itself (first specification, section 2). */
export const NARROW = '(max-width: 1023px)'

/** Below it, side panels open over their list, for example the filters of the health board. */
export const SMALL = '(max-width: 899px)'

/** From here on there is spare room beside a list. */
export const WIDE = '(min-width: 1200px)'

/** From here on there is room for a second list beside a list. */
export const BROAD = '(min-width: 1600px)'

/** Below it, not even two short values fit side by side. */
export const TINY = '(max-width: 359px)'
