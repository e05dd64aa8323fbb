import { showErrorToast, showToast } from './toaster.ts'

/**
 * Copies and shows the result, in the words of the specification. Resolves to whether the text was copied.
 *
 * @param name what was copied, if short enough for a toast
 */
export async function copyText(text: string, name?: string): Promise<boolean> {
  // Absent outside secure contexts, for example on http:// with a host name.
  const clipboard = (navigator as Partial<Navigator>).clipboard
  if (clipboard === undefined) {
    showErrorToast('Clipboard not available')
    return false
  }
  try {
    await clipboard.writeText(text)
    showToast(name === undefined ? 'Copied to clipboard' : `Copied ${name} to clipboard`)
    return true
  } catch {
    // Refused by the browser: no permission, or the page has no focus.
    showErrorToast('Failed to copy to clipboard')
    return false
  }
}
