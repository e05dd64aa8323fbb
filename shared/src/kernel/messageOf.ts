/** What a thing that was thrown says, which in JavaScript may be anything. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))
