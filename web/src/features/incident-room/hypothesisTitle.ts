/** What a hypothesis is called where it has no title yet. */
export const UNTITLED = 'Untitled'

export const hypothesisTitle = ({ title }: { readonly title: string }): string => title || UNTITLED
