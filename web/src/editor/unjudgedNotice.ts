/**
 * Said above a form whose backend has schemas of its own: what would be refused by ours keeps nobody from saving.
 *
 * @param reason what the backend is missing; null: it refuses by our schemas, as the form does
 * @param findFault what is wrong with the spec by our schemas
 */
export function unjudgedNotice(
  reason: string | null,
  findFault: () => string | null,
): { title: string; text: string } | null {
  const fault = reason === null ? null : findFault()
  return fault === null ? null : { title: 'Not known here', text: `${fault}. ${reason}` }
}
