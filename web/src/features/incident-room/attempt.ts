import { DocumentEditError } from '@watchroom/shared/collab'

/** Performs an edit. Returns the reason if the rules of the document refuse it; anything else is a bug and is thrown. */
export function attempt(edit: () => void): string | null {
  try {
    edit()
    return null
  } catch (error) {
    if (error instanceof DocumentEditError) return error.message
    throw error
  }
}
