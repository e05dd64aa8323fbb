import { DocumentEditError } from '@watchroom/shared/collab'

/** Carries an edit out. Gives the reason when the rules of the document refuse it; anything else is a defect and thrown. */
export function attempt(edit: () => void): string | null {
  try {
    edit()
    return null
  } catch (error) {
    if (error instanceof DocumentEditError) return error.message
    throw error
  }
}
