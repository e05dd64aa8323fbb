import type { ReadOnlyReason } from '@watchroom/shared/settings'

/** For whoever may look and not write. @param nouns what they see, in the plural */
export const toRoleReason = (nouns: string): ReadOnlyReason => ({
  text: `Your role can view ${nouns} but not change them. Ask an editor or administrator.`,
})
