import { DocumentEditError } from '@watchroom/shared/collab'

import { showErrorToast } from '../../../../ui/toaster.ts'

/**
 * Carries out an edit of the shared document; a refusal is told in the words of the catalogue.
 *
 * @returns whether the edit was made
 */
export function attempt(failureText: string, edit: () => void): boolean {
  try {
    edit()
    return true
  } catch (error) {
    if (!(error instanceof DocumentEditError)) throw error
    showErrorToast(failureText)
    return false
  }
}
