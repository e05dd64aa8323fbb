// Row scopes, as newer servers have them (backend reference 14.2): of some tables someone sees only the rows that a filter lets
// through, wherever these stand in an answer. Done by adding filters to what is asked, which PostgREST then applies.

/** PostgREST filter, such as `labels->>team=eq.pay`, by the name of a table or view. */
export type Scope = Readonly<Record<string, string>>

interface Embed {
  /** Names by which a filter reaches it, outermost first. */
  readonly path: readonly string[]
  readonly target: string
}

/** The query of a call to `root`, narrowed to what the scope shows. */
export function narrow(root: string, query: string, scope: Scope): string {
  const select = new URLSearchParams(query).get('select') ?? ''
  const filters = embedsOf(select).map(({ path, target }) => ({ path, filter: scope[target] }))
  const added = [{ path: [], filter: scope[root] }, ...filters].flatMap(({ path, filter }) =>
    filter === undefined ? [] : [[...path, filter].join('.').replaceAll('>', '%3E')],
  )
  return [query, ...added].filter((part) => part !== '').join('&')
}

/** `alias:target!hint(…)`, at whatever depth. */
function embedsOf(select: string): Embed[] {
  const embeds: Embed[] = []
  const path: string[] = []
  let word = ''
  for (const letter of select) {
    if (letter === '(') {
      const [head = ''] = word.trim().split('!', 1)
      const target = head.split(':').at(-1) ?? ''
      path.push(head.split(':', 1)[0] ?? '')
      embeds.push({ path: [...path], target })
    }
    if (letter === ')') path.pop()
    word = '(),'.includes(letter) ? '' : word + letter
  }
  return embeds
}
