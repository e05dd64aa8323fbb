// The widths at which screens change their shape. Style sheets repeat the numbers, because `@media` reads no custom property;
// tests/architecture/kit.test.ts holds them to this list.

/** Below it the sidebar leaves the page and comes back over it. */
export const PHONE = '(max-width: 639px)'

/** Below it a table folds into cards. */
export const FOLDED = '(max-width: 719px)'

/** Below it the sidebar collapses by itself (first specification, section 2). */
export const NARROW = '(max-width: 1023px)'

/** Below it what stood beside a list comes over it, for example the filters of the health board. */
export const SMALL = '(max-width: 899px)'

/** From it on there is room beside a list that it does not need. */
export const WIDE = '(min-width: 1200px)'

/** From it on what stands beside a list has room for a list of its own. */
export const BROAD = '(min-width: 1600px)'

/** Below it not even two short values fit beside each other. */
export const TINY = '(max-width: 359px)'
