import { hashKey, type QueryKey } from '@tanstack/react-query'

/**
 * What a list shows while more of it is loading: the answer to the same question with a lower limit. After another question, nothing.
 *
 * @param queryKey its last part is the limit
 */
export const keepLesser =
  (queryKey: QueryKey) =>
  <Data>(before: Data | undefined, query: { readonly queryKey: QueryKey } | undefined): Data | undefined =>
    hashKey(query?.queryKey.slice(0, -1) ?? []) === hashKey(queryKey.slice(0, -1)) ? before : undefined
