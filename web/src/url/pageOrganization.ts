/**
 * The organization this page was loaded for, in hosted mode with several; undefined everywhere else. The gateway refuses requests
 * from a page of another organization, because their data must not be mixed.
 */
export const PAGE_ORGANIZATION =
  typeof document === 'undefined' ? undefined : /(?:^|; )watchroom_organization=([0-9a-f]+)/.exec(document.cookie)?.[1]
