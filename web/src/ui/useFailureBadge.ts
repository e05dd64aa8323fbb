import { useEffect } from 'react'

const ICON_SELECTOR = 'link[rel="icon"]'

/** More would not be legible at 16 pixels. */
const MAX_SHOWN = 99

function drawBadge(failures: number): string {
  const text = failures > MAX_SHOWN ? `${MAX_SHOWN}+` : String(failures)
  const size = text.length > 2 ? 13 : text.length > 1 ? 17 : 21
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M16 0 32 16 16 32 0 16Z" fill="#bb2a31"/><text x="16" y="${16 + size * 0.36}" fill="#fff" font-family="sans-serif" font-weight="700" font-size="${size}" text-anchor="middle">${text}</text></svg>`
}

/** Shows the number of failing checks as the icon of the browser tab; the icon of the product comes back when there is none. */
export function useFailureBadge(failures: number): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>(ICON_SELECTOR)
    if (link === null || failures === 0) return undefined
    const original = link.href
    link.href = `data:image/svg+xml,${encodeURIComponent(drawBadge(failures))}`
    return () => {
      link.href = original
    }
  }, [failures])
}
