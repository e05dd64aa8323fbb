/** A reading of the error for a toast or an error view; errors of unknown origin show their own message. */
export function errorText(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : 'Something went wrong'
}
