/** How a save over a version that was read before ended. Whatever else may happen is an error. */
export type SaveResult<Row> =
  | { readonly kind: 'saved'; readonly row: Row }
  /** Someone else saved it after it was read; this is what it is now. Nothing was written. */
  | { readonly kind: 'changed'; readonly current: Row }
  /** Someone else deleted it. */
  | { readonly kind: 'gone' }
