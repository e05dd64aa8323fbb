// A browser without pages: keeps cookies by origin, follows redirects as far as it is told.

export interface Visit {
  readonly status: number
  readonly location: string | null
  readonly url: string
  readonly headers: Headers
  readonly text: string
}

export class CookieBrowser {
  readonly #jars = new Map<string, Map<string, string>>()

  cookies(origin: string): Map<string, string> {
    const known = this.#jars.get(origin)
    if (known) return known
    const jar = new Map<string, string>()
    this.#jars.set(origin, jar)
    return jar
  }

  header(origin: string): string {
    return [...this.cookies(origin)].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async visit(url: string, init: RequestInit = {}): Promise<Visit> {
    const { origin } = new URL(url)
    const cookie = this.header(origin)
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        ...(cookie === '' ? {} : { cookie }),
        ...(init.headers as Record<string, string>),
      },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const [name = '', value = ''] = pair.split(/=(.*)/, 2)
      if (attributes.includes('Max-Age=0') || value === '' || /expires=thu, 01 jan 1970/i.test(line))
        this.cookies(origin).delete(name)
      else this.cookies(origin).set(name, value)
    }
    const location = response.headers.get('location')
    return {
      status: response.status,
      location: location === null ? null : new URL(location, url).href,
      url,
      headers: response.headers,
      text: await response.text(),
    }
  }

  /** Goes where it is sent until nobody sends it on, or until `stopAt` is the next address. */
  async follow(url: string, stopAt: (url: string) => boolean = () => false): Promise<Visit> {
    let visit = await this.visit(url)
    for (let hops = 0; visit.location !== null && !stopAt(visit.location); hops += 1) {
      if (hops > 15) throw new Error(`sent on for ever, at last to ${visit.location}`)
      visit = await this.visit(visit.location)
    }
    return visit
  }
}
