import { hasPrograms } from '@watchroom/shared/health'

import { readSpecText } from './readSpecText.ts'

/**
 * Said above a form before it is saved: why the person cannot save what is in it.
 *
 * @param refusal why they may not save programs; null: as far as is known they may
 * @param text a spec, as it stands in the form
 * @param stored as it is saved: the server judges what is changed
 */
export const programNotice = (
  refusal: string | null,
  text: string,
  stored?: string,
): { title: string; text: string } | null =>
  // Most texts that are typed have none, and are not read at every key for that.
  refusal !== null && text !== stored && text.includes('exec') && hasPrograms(readSpecText(text).spec)
    ? { title: 'This executes programs', text: refusal }
    : null
