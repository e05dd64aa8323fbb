/** The pairs of a Cookie header whose name is wanted, or undefined when none is. Values stay as they are. */
export function pickCookies(header: string | undefined, isWanted: (name: string) => boolean): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  const picked = pairs.filter((pair) => {
    const [name = '', value = ''] = pair.split('=', 2)
    return value !== '' && isWanted(name)
  })
  return picked.length > 0 ? picked.join('; ') : undefined
}
