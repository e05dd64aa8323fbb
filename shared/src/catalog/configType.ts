const SEPARATOR = '::'

/** The class that a type belongs to: what stands before `::`. */
export const toConfigClass = (type: string): string => type.split(SEPARATOR, 1)[0] ?? ''

/** The rest of a type in words: `AWS::EC2::Instance` gives `EC2 Instance`; a type without a class is itself. */
export const toTypeWords = (type: string): string => {
  const [, ...rest] = type.split(SEPARATOR)
  return rest.length === 0 ? type : rest.join(' ')
}

/** How a type stands in three-way filters of addresses (backend reference 2.6). */
export const toTypeKey = (type: string): string => type.replaceAll(SEPARATOR, '__')
/** Undoes `toTypeKey`. A type that itself contains `__` does not survive the way there and back. */
export const fromTypeKey = (key: string): string => key.replaceAll('__', SEPARATOR)

const LABEL_SEPARATOR = '__:__'

/** How a label or tag stands in addresses of the list: `key__:__value`. */
export const toLabelKey = (key: string, value: string): string => `${key}${LABEL_SEPARATOR}${value}`

/** @returns null for what names no key */
export function tryParseLabelKey(text: string): { readonly key: string; readonly value: string } | null {
  const at = text.indexOf(LABEL_SEPARATOR)
  return at <= 0 ? null : { key: text.slice(0, at), value: text.slice(at + LABEL_SEPARATOR.length) }
}
