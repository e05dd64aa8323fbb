/** The message of an error. JavaScript can throw anything: other values become text. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
