/**
 * Moves the focus to the first field that is marked as wrong, from the top of the form.
 *
 * @param message of the field that is meant, where another one is wrong before it
 */
export function focusFirstFault(root: HTMLElement | null, message?: string): void {
  const faulty = [...(root?.querySelectorAll<HTMLElement>('[aria-invalid="true"], [data-faulty]') ?? [])]
  const meant = faulty.find((field) => {
    const [errorId] = field.getAttribute('aria-describedby')?.split(' ') ?? []
    return errorId !== undefined && document.getElementById(errorId)?.textContent === message
  })
  ;(meant ?? faulty[0])?.focus()
}
