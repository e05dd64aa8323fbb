/** The part of a `<style>` element that Monaco uses. */
export interface AdoptedStyle {
  type: string
  media: string
  className: string
  textContent: string
  readonly sheet: CSSStyleSheet
  remove(): void
}

/**
 * Stands where Monaco makes a `<style>` element, which the Content-Security-Policy forbids: a style sheet made by script is
 * allowed. `web/bundle/lighterPackages.ts` puts it there in the build.
 */
export function createAdoptedStyle(): AdoptedStyle {
  const sheet = new CSSStyleSheet()
  let text = ''
  document.adoptedStyleSheets.push(sheet)
  return {
    type: '',
    media: '',
    className: '',
    sheet,
    get textContent() {
      return text
    },
    set textContent(css: string) {
      text = css
      sheet.replaceSync(css)
    },
    remove: () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((adopted) => adopted !== sheet)
    },
  }
}
