/** Below it the sidebar collapses by itself (first specification, section 2). */
export const NARROW = '(max-width: 1023px)'

/** Below it the sidebar leaves the page and comes back over it. */
export const PHONE = '(max-width: 639px)'
